//! Archives written and read again, and damaged ones.

use mj_npz::{Array, Compression, Data, Element, Error, Writer, read_from};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};

fn archive<T: Element>(name: &str, shape: &[usize], entries: &[T], compression: Compression) -> Vec<u8> {
    let mut file = Writer::new(Cursor::new(Vec::new()), compression);
    file.put(name, shape, entries).unwrap();
    file.finish().unwrap().into_inner()
}

fn read(bytes: Vec<u8>) -> Result<BTreeMap<String, Array>, Error> {
    read_from(Cursor::new(bytes))
}

/// A zip archive with one file of any contents.
fn zip(name: &str, contents: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(contents).unwrap();
    zip.finish().unwrap().into_inner()
}

/// A file of version 1 with any header.
fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

fn shape() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..5_usize, 0..5)
}

macro_rules! round_trip {
    ($($name:ident $t:ty, $variant:ident;)*) => {
        proptest! {
            $(#[test]
            fn $name(shape in shape(), seed in any::<Vec<$t>>(), deflate: bool) {
                let n = shape.iter().product();
                let entries: Vec<$t> = seed.iter().copied().chain([<$t>::default()]).cycle().take(n).collect();
                let compression = if deflate { Compression::Deflate } else { Compression::None };
                let arrays = read(archive("x", &shape, &entries, compression)).unwrap();
                prop_assert_eq!(arrays.len(), 1);
                prop_assert_eq!(arrays["x"].shape(), &shape);
                let Data::$variant(back) = arrays["x"].data() else { panic!("another type") };
                // Bits, so that NaN and negative zero count.
                let bits = |v: &[$t]| v.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>();
                prop_assert_eq!(bits(back), bits(&entries));
            })*
        }
    };
}

round_trip! {
    doubles_come_back f64, F64;
    singles_come_back f32, F32;
    signed_64_come_back i64, I64;
    signed_32_come_back i32, I32;
    signed_16_come_back i16, I16;
    signed_8_come_back i8, I8;
    unsigned_64_come_back u64, U64;
    unsigned_32_come_back u32, U32;
    unsigned_16_come_back u16, U16;
    unsigned_8_come_back u8, U8;
    truth_values_come_back bool, Bool;
}

proptest! {
    /// Damage anywhere gives an error or an array; the test is that nothing panics and no memory is exhausted.
    #[test]
    fn damage_does_not_panic(at: prop::sample::Index, byte: u8, cut: prop::sample::Index, deflate: bool) {
        let compression = if deflate { Compression::Deflate } else { Compression::None };
        let mut bytes = archive("x", &[3, 4], &[1.5; 12], compression);
        let i = at.index(bytes.len());
        bytes[i] = byte;
        let _ = read(bytes.clone());
        bytes.truncate(cut.index(bytes.len()));
        let _ = read(bytes);
    }

    /// The entry (i, j, k) of an array in column-major order is found where row-major order has it.
    #[test]
    fn column_major_order_is_turned(a in 1..4_usize, b in 1..4_usize, c in 1..4_usize) {
        let value = |i: usize, j: usize, k: usize| (100 * i + 10 * j + k) as u16;
        let mut data = Vec::new();
        for k in 0..c { for j in 0..b { for i in 0..a { data.extend(value(i, j, k).to_be_bytes()); } } }
        let header = format!("{{'descr': '>u2', 'fortran_order': True, 'shape': ({a}, {b}, {c})}}");
        let arrays = read(zip("x.npy", &npy(&header, &data))).unwrap();
        let mut want = Vec::new();
        for i in 0..a { for j in 0..b { for k in 0..c { want.push(value(i, j, k)); } } }
        prop_assert_eq!(arrays["x"].data(), &Data::U16(want));
    }
}

#[test]
fn several_arrays_keep_their_names() {
    let mut file = Writer::new(Cursor::new(Vec::new()), Compression::None);
    file.put("data.contact.dist", &[], &[-0.25]).unwrap();
    file.put("empty", &[0, 6], &[] as &[f64]).unwrap();
    let taken = file.put("empty", &[1], &[1_u8]).unwrap_err();
    assert!(matches!(taken, Error::Array { ref name, .. } if name == "empty"), "{taken}");
    let arrays = read(file.finish().unwrap().into_inner()).unwrap();
    assert_eq!(arrays.keys().collect::<Vec<_>>(), ["data.contact.dist", "empty"]);
    assert_eq!(arrays["data.contact.dist"].to_f64(), [-0.25]);
    assert_eq!(arrays["empty"].shape(), [0, 6]);
}

#[test]
fn sizes_are_checked_before_memory_is_taken() {
    for (shape, message) in [
        ("(268435457,)", "more than the 268435456 numbers"),
        ("(18446744073709551615, 18446744073709551615)", "more than the 268435456 numbers"),
        ("(268435456,)", "the data ends after"),
        ("(3,)", "the data ends after 2 of 3 numbers"),
    ] {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
        let e = read(zip("x.npy", &npy(&header, &[0; 16]))).unwrap_err().to_string();
        assert!(e.starts_with("array `x`: ") && e.contains(message), "{shape}: {e}");
    }
    // Several arrays count together.
    let mut file = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (134217729,), }";
    let contents = npy(header, &vec![0; 134_217_729]);
    for name in ["a.npy", "b.npy"] {
        file.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        file.write_all(&contents).unwrap();
    }
    let e = read(file.finish().unwrap().into_inner()).unwrap_err().to_string();
    assert!(e.starts_with("array `b`: shape [134217729] has more than"), "{e}");
}

#[test]
fn faults_are_named() {
    let e = read(b"<mujoco/>".to_vec()).unwrap_err().to_string();
    assert!(e.starts_with("not a readable .npz archive"), "{e}");
    let e = read(zip("x.npy", b"text")).unwrap_err().to_string();
    assert_eq!(e, "array `x`: not an .npy file of version 1, 2 or 3");
    let header = "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }";
    let e = read(zip("x.npy", &npy(header, &[0; 16]))).unwrap_err().to_string();
    assert!(e.starts_with("array `x`: type c16; expected float64"), "{e}");
    let mut file = Writer::new(Cursor::new(Vec::new()), Compression::None);
    let e = file.put("x", &[2, 2], &[1.0; 3]).unwrap_err().to_string();
    assert_eq!(e, "array `x`: 3 numbers for the shape [2, 2]");
    assert!(read(zip("readme.txt", b"no array")).unwrap().is_empty());
}
