// parsing failed: UnicodeEncodeError: a macro of one character that is no byte
__global__void C
#define C€
