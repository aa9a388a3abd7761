"""What `regpress-lint pressure` shows: live values line by line, and what is behind the peak.

`lines` puts it together; `views` has widths and what calls hold, `webs` the live ranges, `members` and `fills` take
structs and arrays apart, `homes` says scalar or vector register, `hidden` what macros and callees read, `values` words.
"""
