// As much of torch as this folder uses; <torch/torch.h> brings modules, data loaders and
// serialisation and takes twice as long to compile. clang needs ivalue.h first. No precompiled
// header: compiler caches do not share those between build folders.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/ivalue.h>
#include <torch/autograd.h>
#include <torch/types.h>
