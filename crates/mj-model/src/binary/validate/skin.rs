//! Skins: every address and vertex lies where it should.

use super::fail::{want, within};
use crate::Model;
use crate::storage::Check;

pub(super) fn check(m: &Model) -> Check {
    let (t, d) = (&m.skin, &m.skin_data);
    want(d.bonevertweight.len() == d.bonevertid.len(), "skin_bonevertweight", 0, "not as many as vertices of bones")?;
    for i in m.bone.ids() {
        let (adr, n) = (m.bone.bonevertadr[i] as usize, m.bone.bonevertnum[i] as usize);
        within(adr, n, d.bonevertid.len(), "skin_bonevertadr", i.index())?;
    }
    for i in t.ids() {
        let (row, nvert) = (i.index(), t.vertnum[i] as usize);
        within(t.vertadr[i] as usize, nvert, d.vert.len(), "skin_vertadr", row)?;
        within(t.faceadr[i] as usize, t.facenum[i] as usize, d.face.len(), "skin_faceadr", row)?;
        within(t.boneadr[i] as usize, t.bonenum[i] as usize, m.bone.len(), "skin_boneadr", row)?;
        if let Ok(adr) = usize::try_from(t.texcoordadr[i]) {
            within(adr, nvert, d.texcoord.len(), "skin_texcoordadr", row)?;
        }
        let is_vertex = |v: &i32| usize::try_from(*v).is_ok_and(|v| v < nvert);
        let faces = &d.face[t.faceadr[i] as usize..][..t.facenum[i] as usize];
        want(faces.iter().flatten().all(is_vertex), "skin_face", row, "a face has a vertex that is not there")?;
        for b in t.boneadr[i]..t.boneadr[i] + t.bonenum[i] {
            let b = crate::ids::BoneId::new(b as usize);
            let vertices = &d.bonevertid[m.bone.bonevertadr[b] as usize..][..m.bone.bonevertnum[b] as usize];
            let good = vertices.iter().all(is_vertex);
            want(good, "skin_bonevertid", b.index(), "a bone has a vertex that is not there")?;
        }
    }
    Ok(())
}
