#include "extract.h"

#include <algorithm>
#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/any_compression.hpp>
#include <osmium/io/pbf_output.hpp>
#include <osmium/io/writer.hpp>
#include <osmium/io/xml_output.hpp>

namespace lodestar::osm {
namespace {

void add_tags(osmium::memory::Buffer& buffer, osmium::builder::Builder& parent, const Tags& tags) {
  osmium::builder::TagListBuilder builder(buffer, &parent);
  for (const auto& [key, value] : tags) builder.add_tag(key, value);
}

}  // namespace

Extract& Extract::node(std::int64_t id, double lon, double lat, Tags tags) {
  objects_.push_back({'n', id, lon, lat, {}, std::move(tags)});
  return *this;
}

Extract& Extract::way(std::int64_t id, std::vector<std::int64_t> nodes, Tags tags) {
  std::vector<ExtractMember> members;
  for (const std::int64_t node : nodes) members.push_back({'n', node, {}});
  objects_.push_back({'w', id, 0, 0, std::move(members), std::move(tags)});
  return *this;
}

Extract& Extract::relation(std::int64_t id, std::vector<ExtractMember> members, Tags tags) {
  objects_.push_back({'r', id, 0, 0, std::move(members), std::move(tags)});
  return *this;
}

Extract& Extract::restriction(std::int64_t id, const std::string& what, std::int64_t from,
                              std::int64_t via, std::int64_t to, Tags more) {
  more.insert(more.begin(), {{"type", "restriction"}, {"restriction", what}});
  return relation(id, {{'w', from, "from"}, {'n', via, "via"}, {'w', to, "to"}}, std::move(more));
}

void Extract::write(const std::string& path, bool sorted) const {
  std::vector<const Object*> order;
  for (const Object& object : objects_) order.push_back(&object);
  if (sorted) {
    const auto rank = [](char type) { return type == 'n' ? 0 : type == 'w' ? 1 : 2; };
    std::stable_sort(order.begin(), order.end(), [&](const Object* a, const Object* b) {
      return rank(a->type) != rank(b->type) ? rank(a->type) < rank(b->type) : a->id < b->id;
    });
  }
  osmium::io::Header header;
  header.set("generator", "lodestar");
  osmium::io::Writer writer(path, header, osmium::io::overwrite::allow);
  osmium::memory::Buffer buffer(1 << 20, osmium::memory::Buffer::auto_grow::yes);
  const auto item_type = [](char type) {
    return type == 'n'   ? osmium::item_type::node
           : type == 'w' ? osmium::item_type::way
                         : osmium::item_type::relation;
  };
  for (const Object* object : order) {
    if (object->type == 'n') {
      osmium::builder::NodeBuilder builder(buffer);
      builder.object().set_id(object->id).set_version("1");
      builder.object().set_location(osmium::Location(object->lon, object->lat));
      builder.set_user("");
      add_tags(buffer, builder, object->tags);
    } else if (object->type == 'w') {
      osmium::builder::WayBuilder builder(buffer);
      builder.object().set_id(object->id).set_version("1");
      builder.set_user("");
      {
        osmium::builder::WayNodeListBuilder nodes(buffer, &builder);
        for (const ExtractMember& member : object->members) nodes.add_node_ref(member.id);
      }
      add_tags(buffer, builder, object->tags);
    } else {
      osmium::builder::RelationBuilder builder(buffer);
      builder.object().set_id(object->id).set_version("1");
      builder.set_user("");
      {
        osmium::builder::RelationMemberListBuilder members(buffer, &builder);
        for (const ExtractMember& member : object->members) {
          members.add_member(item_type(member.type), member.id, member.role);
        }
      }
      add_tags(buffer, builder, object->tags);
    }
    buffer.commit();
    if (buffer.committed() > (1 << 19)) {
      writer(std::move(buffer));
      buffer = osmium::memory::Buffer(1 << 20, osmium::memory::Buffer::auto_grow::yes);
    }
  }
  writer(std::move(buffer));
  writer.close();
}

}  // namespace lodestar::osm
