// An array whose copies share memory in blocks. A block is copied when it is changed.
//
//   SharedArray<int> before(n, 0);                 // contiguous: fill before.data()
//   SharedArray<int> after = before.share();
//   after.set(17, 3);                              // copies one block; `before` stays as it is
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace lodestar::index {

template <class T>
class SharedArray {
 public:
  static constexpr std::size_t kBlock = 256;

  SharedArray() = default;
  SharedArray(std::size_t size, T value) : size_(size) {
    const auto whole = std::make_shared<std::vector<T>>(size, value);
    contiguous_ = whole->data();
    blocks_.reserve((size + kBlock - 1) / kBlock);
    for (std::size_t at = 0; at < size; at += kBlock) {
      blocks_.emplace_back(whole, whole->data() + at);
    }
  }
  SharedArray(SharedArray&&) noexcept = default;
  SharedArray& operator=(SharedArray&&) noexcept = default;

  // The same values. This array must not be changed any more.
  SharedArray share() const {
    SharedArray other;
    other.size_ = size_;
    other.blocks_ = blocks_;
    other.own_.assign(blocks_.size(), false);
    return other;
  }

  std::size_t size() const { return size_; }
  // All values, of an array that was not shared yet.
  T* data() { return contiguous_; }
  T operator[](std::size_t at) const { return blocks_[at / kBlock].get()[at % kBlock]; }
  // The values from `begin` to `end` that are contiguous; begin < end.
  std::span<const T> run(std::size_t begin, std::size_t end) const {
    return {blocks_[begin / kBlock].get() + begin % kBlock,
            std::min(end - begin, kBlock - begin % kBlock)};
  }
  // For arrays made by share().
  void set(std::size_t at, T value) {
    const std::size_t block = at / kBlock;
    if (!own_[block]) {
      const std::shared_ptr<T[]> copy(new T[kBlock]);
      std::copy_n(blocks_[block].get(), std::min(kBlock, size_ - block * kBlock), copy.get());
      blocks_[block] = std::shared_ptr<T>(copy, copy.get());
      own_[block] = true;
    }
    blocks_[block].get()[at % kBlock] = value;
  }

 private:
  std::size_t size_ = 0;
  T* contiguous_ = nullptr;
  std::vector<std::shared_ptr<T>> blocks_;
  std::vector<bool> own_;  // blocks that no other array has
};

}  // namespace lodestar::index
