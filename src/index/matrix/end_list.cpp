#include "index/matrix/end_list.h"

#include <memory>
#include <type_traits>

#include "index/labels/labels.h"
#include "index/matrix/climber.h"
#include "lodestar/detail/parallel.h"

namespace lodestar::index {
namespace {

template <class W>
void append_label(const Data& data, NodeId id, int end, std::vector<Item<W>>& items,
                  std::size_t& hubs) {
  const LabelView<W> label = label_of<W>(data, id, data.symmetric ? 0 : end);
  for (const LabelItem<W>* item = label.entry(); item != label.end(); ++item) {
    items.push_back({item->key, item->distance()});
  }
  hubs = items.size() - label.hubs();
}

}  // namespace

template <class W>
EndList<W>::EndList(const Data& data, std::span<const NodeId> nodes, int end, unsigned threads)
    : size_(nodes.size()), parts_((nodes.size() + kPart - 1) / kPart) {
  std::vector<std::unique_ptr<Climber<W>>> climbers(thread_count(threads));
  parallel_for(parts_.size(), threads, [&](std::size_t p, std::size_t worker) {
    const auto some = nodes.subspan(p * kPart, std::min(kPart, nodes.size() - p * kPart));
    Part& part = parts_[p];
    part.places.reserve(some.size() + 1);
    for (const NodeId id : some) {
      Place place{part.items.size(), 0};
      if constexpr (!std::is_same_v<W, std::uint64_t>) {
        if (data.labelled) {
          append_label(data, id, end, part.items, place.hubs);
          part.places.push_back(place);
          continue;
        }
      }
      if (!climbers[worker]) climbers[worker] = std::make_unique<Climber<W>>(data);
      Climber<W>& climber = *climbers[worker];
      climber.run(data.place[id], end);
      part.items.insert(part.items.end(), climber.entries().begin(), climber.entries().end());
      place.hubs = part.items.size();
      part.items.insert(part.items.end(), climber.hubs().begin(), climber.hubs().end());
      part.places.push_back(place);
    }
    part.places.push_back({part.items.size(), part.items.size()});
  });
}

template class EndList<std::uint32_t>;
template class EndList<double>;
template class EndList<std::uint64_t>;  // for sum_product.h

}  // namespace lodestar::index
