// parsing failed: UnicodeEncodeError: 'latin-1' codec can't encode character '\ufffd' in position 0: ordinal not in range(256)
__global__void C
#define C±