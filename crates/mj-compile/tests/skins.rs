//! Skins: inline and from files, and what is wrong with them.

use mj_model::spec::*;
use mj_model::*;
use std::sync::Arc;

fn bone(body: &str, vertid: &[i32], vertweight: &[f32]) -> Bone {
    let (vertid, vertweight) = (vertid.to_vec(), vertweight.to_vec());
    Bone {
        body: body.into(),
        bindpos: [1.0, 2.0, 3.0],
        bindquat: [2.0, 0.0, 0.0, 0.0],
        vertid,
        vertweight,
        loc: Loc::NONE,
    }
}

fn inline() -> Skin {
    Skin {
        name: "s".into(),
        vertex: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        texcoord: vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0],
        face: vec![0, 1, 2],
        bones: vec![bone("a", &[0, 1], &[1.0, 1.0]), bone("world", &[1, 2], &[3.0, 0.5])],
        ..Default::default()
    }
}

/// The skin as a file.
fn file(s: &Skin) -> Skin {
    let mut out = Vec::new();
    let counts = [s.vertex.len() / 3, s.texcoord.len() / 2, s.face.len() / 3, s.bones.len()];
    counts.iter().for_each(|&n| out.extend((n as i32).to_le_bytes()));
    s.vertex.iter().chain(&s.texcoord).for_each(|x| out.extend(x.to_le_bytes()));
    s.face.iter().for_each(|x| out.extend(x.to_le_bytes()));
    for b in &s.bones {
        let mut name = b.body.clone().into_bytes();
        name.resize(40, 0);
        out.extend(name);
        b.bindpos.iter().chain(&b.bindquat).for_each(|x| out.extend(x.to_le_bytes()));
        out.extend((b.vertid.len() as i32).to_le_bytes());
        b.vertid.iter().for_each(|x| out.extend(x.to_le_bytes()));
        b.vertweight.iter().for_each(|x| out.extend(x.to_le_bytes()));
    }
    Skin { name: "s".into(), file: "s.skn".into(), contents: Arc::new(out), ..Default::default() }
}

fn compile(skin: Skin) -> Result<Model, String> {
    let mut spec = Spec::default();
    spec.skins.push(skin);
    let geoms = vec![Geom { size: [0.1, 0.0, 0.0], ..Default::default() }];
    spec.worldbody.name = "world".into();
    spec.worldbody.bodies.push(Body { name: "a".into(), geoms, ..Default::default() });
    let (model, problems) = mj_compile::compile(&spec);
    model.ok_or_else(|| problems.list.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
}

#[test]
fn a_skin_is_the_same_inline_and_from_a_file() {
    let m = compile(inline()).unwrap();
    let (d, id) = (&m.skin_data, SkinId::new(0));
    assert_eq!((d.vert.len(), d.texcoord.len(), d.face.len(), m.bone.len()), (3, 3, 1, 2));
    assert_eq!((m.skin.vertnum[id], m.skin.bonenum[id], m.skin.texcoordadr[id]), (3, 2, 0));
    assert_eq!(d.bonevertid, [0, 1, 1, 2]);
    // The weights of each vertex add up to 1.
    assert_eq!(d.bonevertweight, [1.0, 0.25, 0.75, 1.0]);
    let first = BoneId::new(0);
    assert_eq!(m.bone.bonebindquat[first], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.bone.bonebodyid[first], BodyId::new(1));
    assert_eq!(compile(file(&inline())).unwrap(), m);
    assert_eq!(Model::from_bytes(&m.to_bytes()).unwrap(), m);
}

#[test]
fn what_is_wrong_is_told() {
    type Change = fn(&mut Skin);
    let changes: [(Change, &str); 9] = [
        (|s| s.bones.clear(), "`bone` is missing"),
        (|s| s.face[2] = 3, "vertex 3"),
        (|s| s.vertex.truncate(8), "multiple of 3"),
        (|s| s.texcoord.truncate(4), "`texcoord`"),
        (|s| s.bones[0].vertid[0] = -1, "vertex -1"),
        (|s| s.bones[0].vertweight.truncate(1), "1 weights"),
        (|s| s.bones[0].vertweight[0] = 0.0, "positive"),
        (|s| s.bones[0].body = "b".into(), "no body named `b`"),
        (|s| s.material = "m".into(), "no material named `m`"),
    ];
    for (change, word) in changes {
        let mut s = inline();
        change(&mut s);
        let said = compile(s).unwrap_err();
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn a_file_is_read_to_its_last_byte_and_no_further() {
    let good = file(&inline());
    for n in 0..good.contents.len() {
        let cut = Skin { contents: Arc::new(good.contents[..n].to_vec()), ..good.clone() };
        assert!(compile(cut).is_err(), "{n}");
    }
    let mut longer = good.contents.to_vec();
    longer.push(0);
    assert!(compile(Skin { contents: Arc::new(longer), ..good.clone() }).unwrap_err().contains("left"));
    assert!(compile(Skin { file: "s.txt".into(), ..good.clone() }).unwrap_err().contains(".skn"));
    assert!(compile(Skin { face: vec![0, 1, 2], ..good }).unwrap_err().contains("file"));
}
