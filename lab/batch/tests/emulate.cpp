// Runs the CUDA kernel on a processor: a warp is 32 threads that wait for each other at every exchange.
// Standard input: worlds, rows, iterations, ls_iterations (int32), row_start (worlds + 1, int32), then arrays of doubles in the
// order of the kernel's arguments. Standard output: qacc, force (double), niter (int32).
#include <barrier>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

struct Index { int x; };
static thread_local Index threadIdx;
static Index blockIdx;
static std::barrier<> meeting(32);
static REAL exchanged[32];
static int flags[32];
alignas(16) static char bytes[1 << 20];

static void __syncwarp() { meeting.arrive_and_wait(); }
static REAL __shfl_xor_sync(unsigned, REAL v, int mask) {
    exchanged[threadIdx.x] = v;
    meeting.arrive_and_wait();
    REAL other = exchanged[threadIdx.x ^ mask];
    meeting.arrive_and_wait();
    return other;
}
static int __any_sync(unsigned, int v) {
    flags[threadIdx.x] = v;
    meeting.arrive_and_wait();
    int any = 0;
    for (int i = 0; i < 32; ++i) any |= flags[i];
    meeting.arrive_and_wait();
    return any;
}
#define __device__
#define __global__
#define __shared__
#include "../src/gpu/newton.cu"

template <typename T> static std::vector<T> read(size_t n) {
    std::vector<T> v(n);
    if (std::fread(v.data(), sizeof(T), n, stdin) != n) std::exit(1);
    return v;
}

int main() {
    auto head = read<int32_t>(4);
    const size_t worlds = head[0], rows = head[1];
    auto start = read<int32_t>(worlds + 1);
    std::vector<REAL> arrays[10];
    const size_t sizes[10] = {worlds * TRI(NV), worlds * NV, worlds * NV, worlds * NV, worlds, rows * NV, rows, rows, rows, rows};
    for (int k = 0; k < 10; ++k) {
        auto wide = read<double>(sizes[k]);
        arrays[k].assign(wide.begin(), wide.end());
    }
    auto settings = read<double>(2);
    std::vector<REAL> qacc(worlds * NV), force(rows);
    std::vector<int> niter(worlds);
    std::vector<std::thread> threads;
    for (int lane = 0; lane < 32; ++lane)
        threads.emplace_back([&, lane] {
            threadIdx.x = lane;
            for (size_t w = 0; w < worlds; ++w) {
                __syncwarp();
                if (lane == 0) blockIdx.x = w;
                __syncwarp();
                newton(worlds, head[2], head[3], settings[0], settings[1], start.data(), arrays[0].data(), arrays[1].data(),
                       arrays[2].data(), arrays[3].data(), arrays[4].data(), arrays[5].data(), arrays[6].data(),
                       arrays[7].data(), arrays[8].data(), arrays[9].data(), qacc.data(), force.data(), niter.data());
            }
        });
    for (auto& t : threads) t.join();
    std::vector<double> a(qacc.begin(), qacc.end()), f(force.begin(), force.end());
    std::fwrite(a.data(), 8, a.size(), stdout);
    std::fwrite(f.data(), 8, f.size(), stdout);
    std::fwrite(niter.data(), 4, niter.size(), stdout);
}
