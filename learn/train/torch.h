// The parts of torch that this folder uses. <torch/torch.h> adds modules, data loaders and
// serialization and takes twice as long to compile. clang needs ivalue.h first. There is no
// precompiled header, because compiler caches do not share those between build folders.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/ivalue.h>
#include <torch/autograd.h>
#include <torch/types.h>
