# Manual pages and completions, written by the programs themselves once they are built.
find_program(LODESTAR_GZIP gzip)
set(LODESTAR_PAGES ${PROJECT_BINARY_DIR}/pages)

# lodestar_install_pages(target component)
function(lodestar_install_pages target component)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "cross-compiling: no manual pages of ${target}")
    return()
  endif()
  set(folder ${LODESTAR_PAGES}/${component})
  set(packing true)
  if(LODESTAR_GZIP)
    set(packing "${LODESTAR_GZIP} -9nf man/man1/*.1")
  endif()
  add_custom_command(OUTPUT ${folder}.done
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${target} pages ${folder}
    COMMAND ${CMAKE_COMMAND} -E chdir ${folder} sh -c "${packing}"
    COMMAND ${CMAKE_COMMAND} -E touch ${folder}.done
    DEPENDS ${target} VERBATIM COMMENT "Manual pages of ${target}")
  add_custom_target(pages_${component} ALL DEPENDS ${folder}.done)
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT ${component})
endfunction()

# lodestar_install_page_link(page other component): `man page` shows the other one.
function(lodestar_install_page_link page other component)
  set(file ${LODESTAR_PAGES}/${page}.1)
  file(WRITE ${file} ".so man1/${other}.1\n")
  set(ending "")
  if(LODESTAR_GZIP)
    execute_process(COMMAND ${LODESTAR_GZIP} -9nf ${file})
    set(ending .gz)
  endif()
  install(FILES ${file}${ending} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endfunction()
