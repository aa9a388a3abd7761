// rule RP105 (low-occupancy) failed: RuntimeError: dictionary changed size during iteration
__global__  back() {
   ;
  Cell cell = cells;cell. += 1.0f;
  cell.flags = ; cell;