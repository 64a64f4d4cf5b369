// Spellings of the same request: options at their defaults, forms, paths.
#include <gtest/gtest.h>

#include "sample_service.h"

namespace lodestar::server::request_test {
namespace {

using nlohmann::json;

class Requests : public ::testing::Test {
 protected:
  const Graph& graph() const { return service_.world().file.graph; }
  Service service_{sample_roads(), quiet_options()};
};

// Clients send options with the value they would have anyway.
TEST_F(Requests, DefaultsOfOsrmAreAccepted) {
  const std::string places = place_text(graph().points()[3]) + ";" +
                             place_text(graph().points()[700]) + ";" +
                             place_text(graph().points()[900]);
  const json plain = json_of(get(service_, "/route/v1/car/" + places));
  ASSERT_EQ(plain["code"], "Ok");
  for (const char* option :
       {"bearings=;;", "bearings=", "approaches=;;", "approaches=unrestricted;;unrestricted",
        "snapping=default", "format=json", "waypoints=0;1;2",
        "waypoints=", "continue_straight=default",
        "bearings=;;&approaches=;;&snapping=default&waypoints=0;1;2"}) {
    EXPECT_EQ(json_of(get(service_, "/route/v1/car/" + places + "?" + option)), plain) << option;
  }
  for (const char* option :
       {"bearings=0,200;;", "bearings=x;;", "bearings=;", "bearings=;;;", "approaches=kerb;;",
        "snapping=some", "continue_straight=maybe", "format=flatbuffers", "waypoints=0;1",
        "waypoints=0;2;1", "waypoints=0;1;2;3", "waypoints=a;b;c", "exclude=,"}) {
    EXPECT_EQ(json_of(get(service_, "/route/v1/car/" + places + "?" + option))["code"],
              "InvalidOptions")
        << option;
  }
  EXPECT_EQ(json_of(get(service_, "/table/v1/car/" + places + "?approaches=;;"))["code"], "Ok");
  EXPECT_EQ(json_of(get(service_, "/table/v1/car/" + places + "?waypoints=0;1;2"))["code"],
            "InvalidOptions");
  const std::string one = place_text(graph().points()[3]);
  EXPECT_EQ(
      json_of(get(service_, "/nearest/v1/car/" + one + "?bearings=&snapping=default"))["code"],
      "Ok");
}

// As maplibre-gl-directions sends it.
TEST_F(Requests, FormsAreAnsweredAsUrlsAre) {
  const std::string form = "application/x-www-form-urlencoded";
  const std::string a = place_text(graph().points()[3]), b = place_text(graph().points()[700]);
  const json expected = json_of(
      get(service_, "/route/v1/car/" + a + ";" + b + "?overview=full&geometries=polyline6"));
  ASSERT_EQ(expected["code"], "Ok");
  std::string encoded = a + "%3B" + b;
  encoded.replace(encoded.find(','), 1, "%2C");
  for (const std::string& list : {a + ";" + b, encoded}) {
    for (const std::string& type : {form, form + "; charset=UTF-8"}) {
      EXPECT_EQ(
          json_of(post(service_, "/route/v1/car",
                       "geometries=polyline6&overview=full&coordinates=" + list, false, type)),
          expected);
    }
  }
  EXPECT_EQ(json_of(post(service_, "/route/v1/car/",
                         "coordinates=" + a + ";" + b + "&geometries=polyline6&overview=full",
                         false, form)),
            expected);
  EXPECT_EQ(json_of(post(service_, "/table/v1/nodes", "nodes=5;17;900&sources=0", false, form)),
            json_of(get(service_, "/table/v1/nodes/5;17;900?sources=0")));
  // curl -d says it is a form whatever it is.
  EXPECT_EQ(json_of(post(service_, "/route/v1/nodes", R"( {"nodes": ["1", "2"]})", false, form)),
            json_of(get(service_, "/route/v1/nodes/1;2")));
  for (const std::string& wrong :
       {std::string("overview=full"), std::string("coordinates="), "coordinates=" + a,
        "coordinates=" + a + ";" + b + "&coordinates=" + a + ";" + b,
        "coordinates=" + a + ";" + b + "&unknown=1", std::string("coordinates=%zz"),
        std::string("[1, 2]"), std::string("&&&"), std::string("="), std::string("nodes=1;2"),
        std::string("coordinates=1,2;\x01"), "coordinates=" + a + ";nan,3"}) {
    EXPECT_EQ(post(service_, "/route/v1/car", wrong, false, form).status, 400) << wrong;
  }
}

// A trailing slash or an escape is the same place, with the same rules.
TEST(Weights, HaveOneRuleHoweverTheyAreSpelt) {
  ServiceOptions options = quiet_options();
  options.token = "a secret of some length";
  Service service(sample_roads(50), options);
  for (const char* target : {"/weights", "/weights/", "//weights", "/%77eights", "/weights?a=b"}) {
    Request request;
    request.method = Method::kPost;
    request.target = target;
    EXPECT_THROW(service.body_limit(request), Refusal) << target;
    EXPECT_EQ(post(service, target, R"({"reset": true})", false).status, 401) << target;
    request.local = true;
    EXPECT_EQ(service.body_limit(request), options.limits.update_bytes) << target;
  }
}

}  // namespace
}  // namespace lodestar::server::request_test
