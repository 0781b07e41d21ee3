#!/bin/sh
# Measures the fused solver on a GPU: ./measure-gpu.sh PROGRAM [MODEL]...
#
# PROGRAM is the command built with the feature `cuda`, or with `cuda,wgpu` where the machine has a Vulkan driver. NVRTC must be
# on the library path: its Python package, nvidia-cuda-nvrtc-cu12, has it in nvidia/cuda_nvrtc/lib.
set -eu
program=$1
shift
nvidia-smi --query-gpu=name,clocks.max.sm,memory.total --format=csv
for model in "" "$@"; do
    echo "model ${model:-humanoid (bundled)}"
    # shellcheck disable=SC2086
    "$program" gpu $model --worlds 256,1024,4096,16384,65536 --rounds 20
done
