"""Draws models with `mj render` and with the reference's `Renderer`, and compares the pictures.

usage: beside.py MJ CORPUS LIST OUT

MJ: the built command. LIST: models, one a line, relative to the folder CORPUS. Into the folder OUT go the pictures, `index.html`
with both pictures of each view beside each other, `figures.json` with the figures of each view, and `table.md` with a summary.
The exit status is 1 if a view misses what must hold.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "osmesa")

import mujoco  # noqa: E402
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402
from scipy import ndimage  # noqa: E402
from skimage.metrics import structural_similarity  # noqa: E402

WIDTH, HEIGHT = 640, 480
# Least shares of pixels whose ids and depths agree: they must. Least structural similarity: an aim.
IDS, DEPTH, SSIM = 0.995, 0.99, 0.9
# Depths agree within this share of the reference's.
TOLERANCE = 1e-3
# Part of itself by which the reciprocal of depth bends at an edge. It is linear in the picture on any plane.
BEND = 0.01
# Pixels nearer than this to a pixel at an edge don't count.
MARGIN = 2
MAX_GEOMS = 50000


def views(m):
    """Cameras: name, arguments of `mj render`, the reference's camera."""
    def free(azimuth, elevation):
        camera = mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(m, camera)
        if azimuth is None:
            return camera, ["--camera", "free"]
        camera.azimuth, camera.elevation = azimuth, elevation
        return camera, ["--camera", "free", "--azimuth", str(azimuth), "--elevation", str(elevation)]

    named = [("free", *free(None, None)), ("azimuth 200, elevation -15", *free(200, -15))]
    if m.ncam:
        camera = mujoco.MjvCamera()
        camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
        return named + [("camera 0", camera, ["--camera", "0"])]
    return named + [("azimuth -45, elevation -60", *free(-45, -60))]


def reference(d, camera, renderer):
    """Colours, depth and ids as the reference draws them."""
    renderer.update_scene(d, camera)
    rgb = renderer.render().copy()
    renderer.enable_depth_rendering()
    depth = renderer.render().copy()
    renderer.enable_segmentation_rendering()
    ids = renderer.render().copy()
    renderer.disable_segmentation_rendering()
    return {"rgb": rgb, "depth": depth, "ids": ids}


def ours(mj, path, arguments, stem):
    """Colours, depth and ids as `mj render` draws them."""
    files = [stem.with_name(stem.name + s) for s in (".png", ".depth.npz", ".ids.npz")]
    command = [mj, "render", path, "--size", f"{WIDTH}x{HEIGHT}", *arguments, "-o", files[0], "--depth", files[1], "--ids", files[2]]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    picture = {"rgb": np.asarray(Image.open(files[0]).convert("RGB")),
               "depth": np.load(files[1])["depth"], "ids": np.load(files[2])["ids"]}
    for file in files[1:]:
        file.unlink()
    return picture


def inner(ids, depth):
    """Pixels at least MARGIN pixels away from those at an edge, where the reference's ids change or its depth breaks."""
    edge = np.zeros(depth.shape, bool)
    reciprocal = 1 / depth.astype(float)
    for axis in (0, 1):
        first, last = [slice(None)] * 2, [slice(None)] * 2
        first[axis], last[axis] = slice(None, -1), slice(1, None)
        changes = (ids[tuple(first)] != ids[tuple(last)]).any(axis=2)
        edge[tuple(first)] |= changes
        edge[tuple(last)] |= changes
        second = np.abs(np.diff(reciprocal, 2, axis=axis))
        middle = [slice(None)] * 2
        middle[axis] = slice(1, -1)
        edge[tuple(middle)] |= second > BEND * reciprocal[tuple(middle)]
    return ndimage.distance_transform_edt(~edge) >= MARGIN if edge.any() else ~edge


def compare(a, b):
    """Figures of our picture `a` against the reference's `b`."""
    counts = inner(b["ids"], b["depth"])
    same = (a["ids"] == b["ids"]).all(axis=2)
    near = np.abs(a["depth"] - b["depth"]) <= TOLERANCE * b["depth"]
    # The definition of Wang et al. (2004): a Gaussian window of 1.5 pixels.
    ssim = structural_similarity(a["rgb"], b["rgb"], channel_axis=2, data_range=255, gaussian_weights=True, sigma=1.5,
                                 use_sample_covariance=False)
    share = lambda agree: float(agree[counts].mean()) if counts.any() else 1.0  # noqa: E731
    return {"ids": share(same), "depth": share(near), "ssim": float(ssim), "counted": float(counts.mean())}


def page(rows):
    """Page with both pictures of each view."""
    def cell(value, least):
        return f'<td class="{"good" if value >= least else "bad"}">{value:.4f}</td>'

    head = ("<!doctype html><meta charset=utf-8><title>Pictures beside the reference's</title><style>body{font:14px sans-serif;"
            "margin:1em}td,th{padding:0 .8em;text-align:left}.bad{color:#b00;font-weight:bold}img{max-width:49%}</style>"
            "<h1>Pictures beside the reference's</h1>"
            f"<p>Ours on the left, MuJoCo {mujoco.__version__}'s classic renderer (OSMesa) on the right; {WIDTH}x{HEIGHT} pixels. "
            "Ids and depth are compared in the pixels that are at least "
            f"{MARGIN} pixels away from an edge. Pixels at an edge: their id differs from a neighbour's to the left, right, above or "
            f"below, or the reciprocal of depth bends by more than {BEND:.0%} of itself, both in the reference's picture. "
            f"Must: ids agree in {IDS:.1%} of the pixels, depths within {TOLERANCE:.1%} in {DEPTH:.0%}. "
            f"Aim: structural similarity (Wang et al. 2004) of {SSIM}.</p>")
    table = ["<table><tr><th>model<th>camera<th>ids<th>depth<th>similarity<th>pixels counted</tr>"]
    pictures = []
    for r in rows:
        figures = cell(r["ids"], IDS) + cell(r["depth"], DEPTH) + cell(r["ssim"], SSIM)
        table.append(f'<tr><td><a href="#{r["stem"]}">{r["model"]}</a><td>{r["view"]}{figures}<td>{r["counted"]:.0%}</tr>')
        pictures.append(f'<h3 id="{r["stem"]}">{r["model"]}, {r["view"]}</h3><p>ids {r["ids"]:.4f}, depth {r["depth"]:.4f}, '
                        f'similarity {r["ssim"]:.3f}</p><img loading=lazy src="ours/{r["stem"]}.png"> '
                        f'<img loading=lazy src="reference/{r["stem"]}.png">')
    return "\n".join([head, *table, "</table>", *pictures])


def summary(rows):
    """Summary in Markdown."""
    lines = ["| | least | views that reach it | median | worst |", "| --- | --- | --- | --- | --- |"]
    for name, key, least in (("ids", "ids", IDS), ("depth", "depth", DEPTH), ("structural similarity of colours", "ssim", SSIM)):
        values = np.array([r[key] for r in rows])
        worst = rows[int(values.argmin())]
        lines.append(f"| {name} | {least} | {(values >= least).sum()} of {len(rows)} | {np.median(values):.4f} | "
                     f"{values.min():.4f} ({Path(worst['model']).stem}, {worst['view']}) |")
    return "\n".join(lines) + "\n"


def main(mj, corpus, names, out):
    for folder in ("ours", "reference"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    rows = []
    for name in names:
        m = mujoco.MjModel.from_xml_path(str(corpus / name))
        m.vis.global_.offwidth, m.vis.global_.offheight = WIDTH, HEIGHT
        d = mujoco.MjData(m)
        mujoco.mj_forward(m, d)
        with mujoco.Renderer(m, HEIGHT, WIDTH, max_geom=MAX_GEOMS) as renderer:
            for number, (view, camera, arguments) in enumerate(views(m)):
                stem = f"{name.replace('/', '.')}.{number}"
                drawn = reference(d, camera, renderer)
                Image.fromarray(drawn["rgb"]).save(out / "reference" / f"{stem}.png")
                figures = compare(ours(mj, corpus / name, arguments, out / "ours" / stem), drawn)
                rows.append({"model": name, "view": view, "stem": stem, **figures})
                print(f"{figures['ids']:.4f} {figures['depth']:.4f} {figures['ssim']:.4f}  {name}, {view}", flush=True)
    (out / "index.html").write_text(page(rows))
    (out / "figures.json").write_text(json.dumps(rows, indent=1))
    (out / "table.md").write_text(summary(rows))
    print(summary(rows))
    return 0 if all(r["ids"] >= IDS and r["depth"] >= DEPTH for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).read_text().split(), Path(sys.argv[4])))
