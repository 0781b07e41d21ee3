//! Lists the arrays of an archive and writes them, as doubles, to another.
//!
//!     cargo run -p mj-npz --example copy -- IN.npz OUT.npz

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(from), Some(to)) = (args.next(), args.next()) else { return Err("expected IN.npz OUT.npz".into()) };
    let mut out = mj_npz::Writer::create(to, mj_npz::Compression::Deflate)?;
    for (name, array) in mj_npz::read(from)? {
        println!("{name} {:?}", array.shape());
        out.put(&name, array.shape(), &array.to_f64())?;
    }
    out.finish()?;
    Ok(())
}
