# Plain comments of the headers as doxygen's; "<" is no tag, and "#" no heading.
/^ *\/\// {
  s/[<#@]/\\&/g
  s,^( *)//( |$),\1///\2,
}
s,([;{},] +)// ,\1///< ,
:again
s,(///< .*[^\\])<,\1\\<,
t again
