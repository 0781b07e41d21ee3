//! Screenshots and recordings, in files of the current folder.

use crate::error::ViewError;
use crate::recording::Recording;
use crate::view::View;
use mj_model::Model;
use mj_record::{FrameSink, PngFile, RecordError};
use std::path::PathBuf;

/// Starts a recording, or ends it and writes its page. Returns a message for the user.
pub(crate) fn record(view: &mut View) -> Result<String, ViewError> {
    let replica = &view.replica;
    let Some(recording) = view.recording.take() else {
        view.recording = Some(Recording::new(replica.model())?);
        return Ok("recording".into());
    };
    let page = recording.page(replica.model(), &replica.camera, &replica.options)?;
    let path = free_path(replica.model(), "html");
    let wrong = |source| RecordError::File { path: path.clone(), source };
    std::fs::write(&path, page).map_err(wrong)?;
    Ok(format!("wrote {}", path.display()))
}

/// Writes the picture to a file. Returns a message for the user.
pub(crate) fn screenshot(view: &mut View) -> Result<String, ViewError> {
    let size = view.picture.size;
    let image = view.picture.image(&mut view.replica, size)?;
    let path = free_path(view.replica.model(), "png");
    let mut file = PngFile::new(&path, image.width, image.height)?;
    file.write(&image.rgb)?;
    file.finish()?;
    Ok(format!("wrote {}", path.display()))
}

/// Returns a file of the current folder that isn't there yet, named after the model.
fn free_path(m: &Model, ending: &str) -> PathBuf {
    let letters = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = m.modelname.chars().map(letters).collect();
    let name = if name.is_empty() { "mj" } else { &name };
    let paths = (1..).map(|k| PathBuf::from(format!("{name}-{k}.{ending}")));
    paths.into_iter().find(|path| !path.exists()).unwrap_or_default()
}
