// Newton's method on constraint problems, one world a warp. Everything of a world stays in shared memory; sums over a warp
// have a fixed order, and there are no atomics, so a world's bits depend on nothing but its numbers.
//
// REAL (float or double), NV (dofs) and ROWS (greatest number of rows) are defined by options of the compiler.

#define ALL 0xffffffffu
#define TRI(i) ((i) * ((i) + 1) / 2)

// Numbers of shared memory that a world needs.
#define SHARED (TRI(NV) + 4 * NV + ROWS * NV + 6 * ROWS)

__device__ static REAL total(REAL v) {
    for (int s = 16; s > 0; s >>= 1) v += __shfl_xor_sync(ALL, v, s);
    return v;
}

__device__ static REAL clamp(REAL x, REAL low, REAL high) {
    REAL c = x > low ? x : low;
    return c < high ? c : high;
}

// Computes y = M x, M a lower triangle.
__device__ static void multiply(int lane, const REAL* m, const REAL* x, REAL* y) {
    for (int i = lane; i < NV; i += 32) {
        REAL sum = 0;
        for (int j = 0; j < NV; ++j) sum += m[i > j ? TRI(i) + j : TRI(j) + i] * x[j];
        y[i] = sum;
    }
    __syncwarp();
}

// Computes y = J x, less aref where it is given.
__device__ static void rows_times(int lane, int nefc, const REAL* jac, const REAL* x, const REAL* aref, REAL* y) {
    for (int r = lane; r < nefc; r += 32) {
        REAL sum = 0;
        for (int j = 0; j < NV; ++j) sum += jac[r * NV + j] * x[j];
        y[r] = aref ? sum - aref[r] : sum;
    }
    __syncwarp();
}

extern "C" __global__ void newton(int worlds, int iterations, int ls_iterations, REAL tolerance, REAL ls_tolerance,
                                  const int* row_start, const REAL* m_all, const REAL* qfrc_all, const REAL* smooth_all,
                                  const REAL* warm_all, const REAL* scale, const REAL* jac_all, const REAL* d_all,
                                  const REAL* aref_all, const REAL* low_all, const REAL* high_all, REAL* qacc, REAL* force,
                                  int* niter) {
    extern __shared__ char bytes[];
    const int world = blockIdx.x, lane = threadIdx.x;
    if (world >= worlds) return;
    const int first = row_start[world], nefc = row_start[world + 1] - first;
    const REAL *m = m_all + world * TRI(NV), *qfrc = qfrc_all + world * NV, *aref = aref_all + first;
    const REAL *smooth = smooth_all + world * NV, *warm = warm_all + world * NV;
    REAL* h = (REAL*)bytes;
    REAL *q = h + TRI(NV), *mq = q + NV, *step = mq + NV, *mstep = step + NV;
    REAL *jac = mstep + NV, *x = jac + ROWS * NV, *js = x + ROWS, *d = js + ROWS, *low = d + ROWS, *high = low + ROWS;
    REAL* weight = high + ROWS;
    for (int k = lane; k < nefc * NV; k += 32) jac[k] = jac_all[first * NV + k];
    for (int r = lane; r < nefc; r += 32) {
        d[r] = d_all[first + r];
        low[r] = low_all[first + r];
        high[r] = high_all[first + r];
    }
    // Start from the better of warm start and smooth acceleration.
    REAL cost[2];
    for (int k = 0; k < 2; ++k) {
        const REAL* start = k == 0 ? smooth : warm;
        __syncwarp();
        for (int i = lane; i < NV; i += 32) q[i] = start[i];
        __syncwarp();
        multiply(lane, m, q, mq);
        rows_times(lane, nefc, jac, q, aref, x);
        REAL sum = 0;
        for (int i = lane; i < NV; i += 32) sum += (REAL)0.5 * (mq[i] - qfrc[i]) * (q[i] - smooth[i]);
        for (int r = lane; r < nefc; r += 32) {
            REAL c = clamp(x[r], low[r], high[r]);
            sum += d[r] * c * (x[r] - (REAL)0.5 * c);
        }
        cost[k] = total(sum);
    }
    if (!(cost[1] < cost[0])) {
        __syncwarp();
        for (int i = lane; i < NV; i += 32) q[i] = smooth[i];
        __syncwarp();
        multiply(lane, m, q, mq);
        rows_times(lane, nefc, jac, q, aref, x);
    }
    int count = 0;
    while (count < iterations) {
        ++count;
        // Forces in js, curvatures in weight.
        for (int r = lane; r < nefc; r += 32) {
            js[r] = -d[r] * clamp(x[r], low[r], high[r]);
            weight[r] = low[r] < x[r] && x[r] < high[r] ? d[r] : (REAL)0;
        }
        __syncwarp();
        // Lane j: column j of the Hessian, and entry j of the gradient, negated.
        for (int j = lane; j < NV; j += 32) {
            REAL g = qfrc[j] - mq[j];
            for (int r = 0; r < nefc; ++r) g += jac[r * NV + j] * js[r];
            step[j] = g;
            mstep[j] = g;
            for (int i = j; i < NV; ++i) {
                REAL sum = m[TRI(i) + j];
                for (int r = 0; r < nefc; ++r) sum += weight[r] * jac[r * NV + i] * jac[r * NV + j];
                h[TRI(i) + j] = sum;
            }
        }
        __syncwarp();
        // Factor H = L'DL from the last row, 1/D in place of D.
        for (int k = NV - 1; k >= 0; --k) {
            const REAL inverse = (REAL)1 / h[TRI(k) + k];
            for (int j = lane; j < k; j += 32)
                for (int i = j; i < k; ++i) h[TRI(i) + j] -= h[TRI(k) + i] * inverse * h[TRI(k) + j];
            __syncwarp();
            for (int j = lane; j < k; j += 32) h[TRI(k) + j] *= inverse;
            if (lane == 0) h[TRI(k) + k] = inverse;
            __syncwarp();
        }
        for (int k = NV - 1; k >= 0; --k) {
            const REAL v = step[k];
            for (int j = lane; j < k; j += 32) step[j] -= h[TRI(k) + j] * v;
            __syncwarp();
        }
        for (int k = 0; k < NV; ++k) {
            REAL sum = 0;
            for (int j = lane; j < k; j += 32) sum += h[TRI(k) + j] * step[j];
            sum = total(sum);
            if (lane == 0) step[k] = step[k] * h[TRI(k) + k] - sum;
            __syncwarp();
        }
        REAL sum = 0;
        for (int i = lane; i < NV; i += 32) sum += mstep[i] * step[i];
        const REAL decrement = total(sum);
        if (!((REAL)0.5 * decrement * scale[world] > tolerance)) break;
        multiply(lane, m, step, mstep);
        rows_times(lane, nefc, jac, step, 0, js);
        REAL slope = 0, curvature = 0;
        for (int i = lane; i < NV; i += 32) {
            slope += step[i] * (mq[i] - qfrc[i]);
            curvature += step[i] * mstep[i];
        }
        slope = total(slope);
        curvature = total(curvature);
        REAL alpha = 1, lower = 0, upper = 1e9;
        for (int k = 0; k < ls_iterations; ++k) {
            REAL d1 = 0, d2 = 0;
            for (int r = lane; r < nefc; r += 32) {
                const REAL y = x[r] + alpha * js[r];
                d1 += d[r] * js[r] * clamp(y, low[r], high[r]);
                if (low[r] < y && y < high[r]) d2 += d[r] * js[r] * js[r];
            }
            d1 = total(d1) + slope + alpha * curvature;
            d2 = total(d2) + curvature;
            if (!((d1 < 0 ? -d1 : d1) > ls_tolerance * decrement)) break;
            if (d1 > 0) upper = alpha; else lower = alpha;
            const REAL next = alpha - d1 / d2;
            alpha = lower < next && next < upper ? next : (REAL)0.5 * (lower + upper);
        }
        // A whole step within one piece of the cost ends at the minimum.
        int changed = alpha != 1;
        for (int i = lane; i < NV; i += 32) {
            q[i] += alpha * step[i];
            mq[i] += alpha * mstep[i];
        }
        for (int r = lane; r < nefc; r += 32) {
            const REAL y = x[r] + alpha * js[r];
            changed |= (low[r] < y) != (low[r] < x[r]) || (y < high[r]) != (x[r] < high[r]);
            x[r] = y;
        }
        changed = __any_sync(ALL, changed);
        if (!changed) break;
    }
    __syncwarp();
    for (int i = lane; i < NV; i += 32) qacc[world * NV + i] = q[i];
    for (int r = lane; r < nefc; r += 32) force[first + r] = -d[r] * clamp(x[r], low[r], high[r]);
    if (lane == 0) niter[world] = count;
}
