# lodestar_embed_models(target): the files named in learn/models/INDEX.json become part of the library.
# The assembler reads them as they are (.incbin); a byte array in C++ of this size takes minutes.
function(lodestar_embed_models target)
  set(folder ${PROJECT_SOURCE_DIR}/learn/models)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_models.cpp)
  set(blobs "")
  set(table "")
  set(files "")
  set(count 0)
  if(EXISTS ${folder}/INDEX.json)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/INDEX.json)
    file(READ ${folder}/INDEX.json index)
    string(JSON count LENGTH "${index}" models)
  endif()
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON name GET "${index}" models ${i} name)
      string(JSON preset GET "${index}" models ${i} preset)
      string(JSON is_default GET "${index}" models ${i} default)
      string(TOLOWER "${is_default}" is_default)
      if(is_default STREQUAL "on")
        set(is_default true)
      elseif(is_default STREQUAL "off")
        set(is_default false)
      endif()
      set(file ${folder}/${name}.safetensors)
      list(APPEND files ${file})
      string(APPEND blobs "LODESTAR_BLOB(${i}, \"${file}\")\n")
      string(APPEND table
        "    {\"${name}\", \"${preset}\", ${is_default}, between(lodestar_model_${i}, lodestar_model_${i}_end)},\n")
    endforeach()
    set(body "constexpr auto between = [](const std::byte& begin, const std::byte& end) {
  return std::span<const std::byte>(&begin, static_cast<std::size_t>(&end - &begin));
};

std::span<const EmbeddedModel> embedded_models() {
  static const EmbeddedModel kModels[] = {
${table}  };
  return kModels;
}
")
  else()
    set(body "std::span<const EmbeddedModel> embedded_models() { return {}; }\n")
  endif()
  file(WRITE ${out}.new "// Generated from learn/models/INDEX.json.
#include \"lodestar/model.h\"

#define LODESTAR_BLOB(i, file)                                       \\
  extern \"C\" const std::byte lodestar_model_##i;                     \\
  extern \"C\" const std::byte lodestar_model_##i##_end;               \\
  asm(\".section .rodata\\n.balign 16\\n.global lodestar_model_\" #i \"\\n\" \\
      \"lodestar_model_\" #i \":\\n.incbin \\\"\" file \"\\\"\\n\"           \\
      \".global lodestar_model_\" #i \"_end\\nlodestar_model_\" #i \"_end:\\n\" \\
      \".byte 0\\n.text\\n\");

${blobs}
namespace lodestar {

${body}
}  // namespace lodestar
")
  file(COPY_FILE ${out}.new ${out} ONLY_IF_DIFFERENT)
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE ${out})
endfunction()
