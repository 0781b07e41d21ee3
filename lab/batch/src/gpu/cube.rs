//! The kernel in CubeCL: one source for all adapters of wgpu, the software one among them.
#![allow(unsafe_code)]

use super::{Answer, Packed};
use crate::solver::Settings;
use cubecl::Device;
use cubecl::prelude::*;
use std::time::Instant;

/// Number of threads of a world.
const LANES: usize = 32;

/// Returns where row `i` of a lower triangle starts.
#[cube]
fn triangle(i: usize) -> usize {
    i * (i + 1usize) / 2usize
}

/// Returns the projection of a number on an interval.
#[cube]
fn project<F: Float>(x: F, low: F, high: F) -> F {
    F::min(F::max(x, low), high)
}

/// Returns the sum of every thread's number, by halves.
#[cube]
fn total<F: Float>(v: F, sums: &mut [F]) -> F {
    let lane = UNIT_POS as usize;
    sums[lane] = v;
    sync_cube();
    let mut s = 16usize;
    while s > 0usize {
        if lane < s {
            let other = sums[lane + s];
            sums[lane] += other;
        }
        sync_cube();
        s /= 2usize;
    }
    let sum = sums[0];
    sync_cube();
    sum
}

/// Computes y = M x, M a lower triangle at the start of `m`.
#[cube]
fn multiply<F: Float>(m: &[F], base: usize, x: &[F], y: &mut [F], #[comptime] nv: usize) {
    let mut i = UNIT_POS as usize;
    while i < nv {
        let mut sum = F::new(0.0);
        for j in 0..nv {
            let mut at = triangle(j) + i;
            if i > j {
                at = triangle(i) + j;
            }
            sum += m[base + at] * x[j];
        }
        y[i] = sum;
        i += 32usize;
    }
    sync_cube();
}

/// Computes y = J x.
#[cube]
fn rows_times<F: Float>(nefc: usize, jac: &[F], x: &[F], y: &mut [F], #[comptime] nv: usize) {
    let mut r = UNIT_POS as usize;
    while r < nefc {
        let mut sum = F::new(0.0);
        for j in 0..nv {
            sum += jac[r * nv + j] * x[j];
        }
        y[r] = sum;
        r += 32usize;
    }
    sync_cube();
}

/// Newton's method of one world: see `newton.cu`, which has equal operations in equal order.
#[cube(launch)]
fn newton<F: Float>(
    row_start: &[u32],
    fixed: &[F],
    jac_all: &[F],
    rows: &[F],
    qacc: &mut [F],
    force: &mut [F],
    niter: &mut [u32],
    tolerance_: f32,
    ls_tolerance_: f32,
    iterations: u32,
    ls_iterations: u32,
    #[comptime] nv: usize,
    #[comptime] most: usize,
) {
    let tolerance = F::cast_from(tolerance_);
    let ls_tolerance = F::cast_from(ls_tolerance_);
    let tri = comptime!(nv * (nv + 1) / 2);
    let world = CUBE_POS;
    let lane = UNIT_POS as usize;
    let first = row_start[world] as usize;
    let nefc = row_start[world + 1usize] as usize - first;
    let base = world * comptime!(nv * (nv + 1) / 2 + 3 * nv + 1);
    let at_qfrc = base + tri;
    let at_smooth = at_qfrc + nv;
    let at_warm = at_smooth + nv;
    let scale = fixed[at_warm + nv];
    let mut h = Shared::new_slice(comptime!(nv * (nv + 1) / 2));
    let mut q = Shared::new_slice(nv);
    let mut mq = Shared::new_slice(nv);
    let mut step = Shared::new_slice(nv);
    let mut mstep = Shared::new_slice(nv);
    let mut jac = Shared::new_slice(comptime!(most * nv));
    let mut x = Shared::new_slice(most);
    let mut js = Shared::new_slice(most);
    let mut weight = Shared::new_slice(most);
    let mut sums = Shared::new_slice(32usize);
    let mut k = lane;
    while k < nefc * nv {
        jac[k] = jac_all[first * nv + k];
        k += 32usize;
    }
    sync_cube();
    // Start from the better of warm start and smooth acceleration: both costs, then the better one again if it came first.
    let mut smooth_cost = F::new(0.0);
    let mut again = true;
    let mut round = 0u32;
    while again {
        let mut at_start = at_smooth;
        if round == 1u32 {
            at_start = at_warm;
        }
        let mut i = lane;
        while i < nv {
            q[i] = fixed[at_start + i];
            i += 32usize;
        }
        sync_cube();
        multiply::<F>(fixed, base, &q, &mut mq, nv);
        rows_times::<F>(nefc, &jac, &q, &mut x, nv);
        let mut sum = F::new(0.0);
        let mut i = lane;
        while i < nv {
            sum += F::new(0.5) * (mq[i] - fixed[at_qfrc + i]) * (q[i] - fixed[at_smooth + i]);
            i += 32usize;
        }
        let mut r = lane;
        while r < nefc {
            let at = 4usize * (first + r);
            let y = x[r] - rows[at + 1usize];
            x[r] = y;
            let c = project::<F>(y, rows[at + 2usize], rows[at + 3usize]);
            sum += rows[at] * c * (y - F::new(0.5) * c);
            r += 32usize;
        }
        let cost = total::<F>(sum, &mut sums);
        if round == 0u32 {
            smooth_cost = cost;
        }
        if round == 1u32 {
            again = cost >= smooth_cost;
        }
        if round == 2u32 {
            again = false;
        }
        round += 1u32;
        sync_cube();
    }
    let mut count = 0u32;
    let mut running = true;
    while running {
        count += 1u32;
        let mut r = lane;
        while r < nefc {
            let at = 4usize * (first + r);
            let (d, low, high) = (rows[at], rows[at + 2usize], rows[at + 3usize]);
            js[r] = F::new(0.0) - d * project::<F>(x[r], low, high);
            weight[r] = F::new(0.0);
            if low < x[r] && x[r] < high {
                weight[r] = d;
            }
            r += 32usize;
        }
        sync_cube();
        let mut j = lane;
        while j < nv {
            let mut g = fixed[at_qfrc + j] - mq[j];
            for r in 0..nefc {
                g += jac[r * nv + j] * js[r];
            }
            step[j] = g;
            mstep[j] = g;
            for i in j..nv {
                let mut sum = fixed[base + triangle(i) + j];
                for r in 0..nefc {
                    sum += weight[r] * jac[r * nv + i] * jac[r * nv + j];
                }
                h[triangle(i) + j] = sum;
            }
            j += 32usize;
        }
        sync_cube();
        for back in 0..nv {
            let k = nv - 1usize - back;
            let row = triangle(k);
            let inverse = F::new(1.0) / h[row + k];
            let mut j = lane;
            while j < k {
                for i in j..k {
                    let change = h[row + i] * inverse * h[row + j];
                    h[triangle(i) + j] -= change;
                }
                j += 32usize;
            }
            sync_cube();
            let mut j = lane;
            while j < k {
                h[row + j] *= inverse;
                j += 32usize;
            }
            if lane == 0usize {
                h[row + k] = inverse;
            }
            sync_cube();
        }
        for back in 0..nv {
            let k = nv - 1usize - back;
            let v = step[k];
            let mut j = lane;
            while j < k {
                let change = h[triangle(k) + j] * v;
                step[j] -= change;
                j += 32usize;
            }
            sync_cube();
        }
        for k in 0..nv {
            let mut sum = F::new(0.0);
            let mut j = lane;
            while j < k {
                sum += h[triangle(k) + j] * step[j];
                j += 32usize;
            }
            let sum = total::<F>(sum, &mut sums);
            if lane == 0usize {
                step[k] = step[k] * h[triangle(k) + k] - sum;
            }
            sync_cube();
        }
        let mut sum = F::new(0.0);
        let mut i = lane;
        while i < nv {
            sum += mstep[i] * step[i];
            i += 32usize;
        }
        let decrement = total::<F>(sum, &mut sums);
        running = F::new(0.5) * decrement * scale > tolerance;
        if running {
            multiply::<F>(fixed, base, &step, &mut mstep, nv);
            rows_times::<F>(nefc, &jac, &step, &mut js, nv);
            let mut slope = F::new(0.0);
            let mut curvature = F::new(0.0);
            let mut i = lane;
            while i < nv {
                slope += step[i] * (mq[i] - fixed[at_qfrc + i]);
                curvature += step[i] * mstep[i];
                i += 32usize;
            }
            let slope = total::<F>(slope, &mut sums);
            let curvature = total::<F>(curvature, &mut sums);
            let mut alpha = F::new(1.0);
            let mut lower = F::new(0.0);
            let mut upper = F::new(1e9);
            let mut searching = true;
            let mut tries = 0u32;
            while searching {
                let mut d1 = F::new(0.0);
                let mut d2 = F::new(0.0);
                let mut r = lane;
                while r < nefc {
                    let at = 4usize * (first + r);
                    let (d, low, high) = (rows[at], rows[at + 2usize], rows[at + 3usize]);
                    let y = x[r] + alpha * js[r];
                    d1 += d * js[r] * project::<F>(y, low, high);
                    if low < y && y < high {
                        d2 += d * js[r] * js[r];
                    }
                    r += 32usize;
                }
                let d1 = total::<F>(d1, &mut sums) + slope + alpha * curvature;
                let d2 = total::<F>(d2, &mut sums) + curvature;
                tries += 1u32;
                searching = F::abs(d1) > ls_tolerance * decrement && tries < ls_iterations;
                if searching {
                    if d1 > F::new(0.0) {
                        upper = alpha;
                    } else {
                        lower = alpha;
                    }
                    let next = alpha - d1 / d2;
                    alpha = F::new(0.5) * (lower + upper);
                    if lower < next && next < upper {
                        alpha = next;
                    }
                }
            }
            let mut changed = F::new(0.0);
            if alpha != F::new(1.0) {
                changed = F::new(1.0);
            }
            let mut i = lane;
            while i < nv {
                q[i] += alpha * step[i];
                mq[i] += alpha * mstep[i];
                i += 32usize;
            }
            let mut r = lane;
            while r < nefc {
                let at = 4usize * (first + r);
                let (low, high) = (rows[at + 2usize], rows[at + 3usize]);
                let old = x[r];
                let y = old + alpha * js[r];
                if (low < y) != (low < old) || (y < high) != (old < high) {
                    changed = F::new(1.0);
                }
                x[r] = y;
                r += 32usize;
            }
            let changed = total::<F>(changed, &mut sums);
            running = changed > F::new(0.0) && count < iterations;
        }
        sync_cube();
    }
    let mut i = lane;
    while i < nv {
        qacc[world * nv + i] = q[i];
        i += 32usize;
    }
    let mut r = lane;
    while r < nefc {
        let at = 4usize * (first + r);
        force[first + r] = F::new(0.0) - rows[at] * project::<F>(x[r], rows[at + 2usize], rows[at + 3usize]);
        r += 32usize;
    }
    if lane == 0usize {
        niter[world] = count;
    }
}

/// Solves in 32 bits on a device. Returns the answers and the least time of a call, with the copies of the answers.
pub fn solve(device: &Device, p: &Packed, settings: &Settings, repeats: usize) -> (Answer, f64) {
    let client = device.client();
    let narrow = |v: &[f64]| v.iter().map(|x| *x as f32).collect::<Vec<f32>>();
    let (nv, tri, worlds) = (p.nv, p.nv * (p.nv + 1) / 2, p.worlds());
    let mut fixed = Vec::new();
    for w in 0..worlds {
        fixed.extend(narrow(&p.m[w * tri..][..tri]));
        [&p.qfrc, &p.smooth, &p.warm].iter().for_each(|v| fixed.extend(narrow(&v[w * nv..][..nv])));
        fixed.push(p.scale[w] as f32);
    }
    let mut rows: Vec<f32> =
        (0..p.d.len()).flat_map(|r| [p.d[r], p.aref[r], p.low[r], p.high[r]].map(|x| x as f32)).collect();
    let mut jac = narrow(&p.jac);
    // No array is empty.
    rows.resize(rows.len().max(4), 0.0);
    jac.resize(jac.len().max(1), 0.0);
    let starts = client.create_from_slice(u32::as_bytes(&p.row_start));
    let [fixed_, jac_, rows_] = [&fixed, &jac, &rows].map(|v| client.create_from_slice(f32::as_bytes(v)));
    let (nforce, ndof) = (p.d.len().max(1), worlds * nv);
    let [qacc, force, niter] = [ndof, nforce, worlds].map(|n| client.empty(n * 4));
    let mut seconds = f64::INFINITY;
    let mut answer = Answer::default();
    for _ in 0..repeats.max(1) {
        let begin = Instant::now();
        // SAFETY: each length is that of the array behind the handle.
        let arg = |h: &cubecl::server::Handle, n: usize| unsafe { BufferArg::from_raw_parts(h.clone(), n) };
        newton::launch::<f32>(
            &client,
            CubeCount::Static(worlds as u32, 1, 1),
            CubeDim::new_1d(LANES as u32),
            arg(&starts, worlds + 1),
            arg(&fixed_, fixed.len()),
            arg(&jac_, jac.len()),
            arg(&rows_, rows.len()),
            arg(&qacc, ndof),
            arg(&force, nforce),
            arg(&niter, worlds),
            settings.tolerance as f32,
            settings.ls_tolerance as f32,
            settings.iterations,
            settings.ls_iterations,
            nv,
            p.most_rows.next_multiple_of(8).max(8),
        );
        let wide = |b: &[u8]| f32::from_bytes(b).iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
        answer.qacc = wide(&client.read_one_unchecked(qacc.clone()));
        answer.force = wide(&client.read_one_unchecked(force.clone()));
        answer.force.truncate(p.d.len());
        answer.niter = u32::from_bytes(&client.read_one_unchecked(niter.clone())).to_vec();
        seconds = seconds.min(begin.elapsed().as_secs_f64());
    }
    (answer, seconds)
}
