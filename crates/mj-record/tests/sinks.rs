//! Sinks of frames: what is in their files, and what they refuse.

use mj_record::{ApngFile, FrameSink, Mp4File, PngFile, RawFrames, RecordError};
use std::io::BufReader;
use std::path::PathBuf;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("mj-record-{}-{name}", std::process::id()))
}

fn frame(width: u32, height: u32, shade: u8) -> Vec<u8> {
    (0..3 * width * height).map(|i| (i as u8).wrapping_add(shade)).collect()
}

#[test]
fn a_picture_comes_back() -> Outcome {
    let path = temporary("picture.png");
    let mut sink = PngFile::new(&path, 5, 3)?;
    assert!(matches!(sink.finish(), Err(RecordError::Empty)));
    sink.write(&frame(5, 3, 7))?;
    sink.finish()?;
    assert!(matches!(sink.write(&frame(5, 3, 7)), Err(RecordError::Full { max: 1, .. })));
    let mut reader = png::Decoder::new(BufReader::new(std::fs::File::open(&path)?)).read_info()?;
    let mut pixels = vec![0; 45];
    reader.next_frame(&mut pixels)?;
    std::fs::remove_file(path)?;
    assert_eq!(pixels, frame(5, 3, 7));
    Ok(())
}

/// The number of frames, known at the end, stands at the beginning.
#[test]
fn an_animation_comes_back() -> Outcome {
    let path = temporary("animation.apng");
    let mut sink = ApngFile::create(&path, 4, 3, 30.0)?;
    for shade in 0..3 {
        sink.write(&frame(4, 3, shade))?;
    }
    sink.finish()?;
    assert!(matches!(sink.write(&frame(4, 3, 0)), Err(RecordError::Finished)));
    let mut reader = png::Decoder::new(BufReader::new(std::fs::File::open(&path)?)).read_info()?;
    assert_eq!(reader.info().animation_control.map(|c| (c.num_frames, c.num_plays)), Some((3, 0)));
    for shade in 0..3 {
        let mut pixels = vec![0; 36];
        reader.next_frame(&mut pixels)?;
        assert_eq!(pixels, frame(4, 3, shade));
        let control = reader.info().frame_control.ok_or("no frame control")?;
        assert_eq!((control.delay_num, control.delay_den), (1, 30));
    }
    std::fs::remove_file(path)?;
    Ok(())
}

#[test]
fn raw_frames_follow_each_other() -> Outcome {
    let mut out = Vec::new();
    let mut sink = RawFrames::new(&mut out, 2, 2)?;
    sink.write(&frame(2, 2, 1))?;
    sink.write(&frame(2, 2, 2))?;
    sink.finish()?;
    assert_eq!(out, [frame(2, 2, 1), frame(2, 2, 2)].concat());
    Ok(())
}

#[test]
fn sizes_rates_and_frames_are_checked() -> Outcome {
    for (width, height) in [(0, 1), (1, 0), (100_000, 1)] {
        assert!(matches!(RawFrames::new(Vec::new(), width, height), Err(RecordError::Size { .. })));
    }
    let path = temporary("never.apng");
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(ApngFile::create(&path, 1, 1, fps), Err(RecordError::Rate { .. })));
        assert!(matches!(Mp4File::create(&path, 1, 1, fps), Err(RecordError::Rate { .. })));
    }
    assert!(!path.exists());
    let error = RawFrames::new(Vec::new(), 2, 2)?.write(&[0; 5]).unwrap_err();
    assert_eq!(error.to_string(), "frame 0 has 5 bytes; expected 12: red, green and blue for 2x2 pixels");
    Ok(())
}

/// A video of odd size has even sides; where there is no ffmpeg, that is told before a frame.
#[test]
fn a_video_is_written_or_refused_at_once() -> Outcome {
    let path = temporary("video.mp4");
    let mut sink = match Mp4File::create(&path, 33, 17, 30.0) {
        Err(RecordError::NoFfmpeg(_) | RecordError::NoEncoder) => return Ok(()),
        sink => sink?,
    };
    for shade in 0..10 {
        sink.write(&frame(33, 17, shade))?;
    }
    sink.finish()?;
    let bytes = std::fs::read(&path)?;
    std::fs::remove_file(path)?;
    assert_eq!(&bytes[4..8], b"ftyp");
    let nowhere = temporary("no-such-folder").join("x.mp4");
    let mut sink = Mp4File::create(&nowhere, 8, 8, 30.0)?;
    let written = (0..50).try_for_each(|_| sink.write(&frame(8, 8, 0))).and_then(|()| sink.finish());
    assert!(matches!(written, Err(RecordError::Ffmpeg { .. })), "{written:?}");
    Ok(())
}
