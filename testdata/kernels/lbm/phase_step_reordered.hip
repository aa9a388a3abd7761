// phase_step_no_pow with the resting population of the phase field stored before the velocity is formed.
//
// Incompressible hydrodynamics by a D3Q19 pressure distribution (q), the phase field by a D3Q7 distribution (h) of the
// conservative Allen-Cahn equation. Streaming pulls from the upstream cells, one array per direction, two halves each.
// launch: block=256 dynamic_lds=0
#include <hip/hip_runtime.h>

// expect-next-line: RP101 @17 "phase_step"
__global__ void phase_step(const double* phase, const double* lap_phase,
    const double* nx_field, const double* ny_field, const double* nz_field,
    double* h0, double* h1, double* h2, double* h3, double* h4, double* h5, double* h6,
    double* g0, double* g1, double* g2, double* g3, double* g4, double* g5, double* g6,
    double* g7, double* g8, double* g9, double* g10, double* g11, double* g12,
    double* g13, double* g14, double* g15, double* g16, double* g17, double* g18,
    int width, int height, int depth, int row, int slab, int from, int to,
    double beta, double kappa, double sharpen, double rho_light, double rho_jump, double inv_tau_h,
    double inv_tau_q, double half_step, double gravity_y, double buoyancy, double w_rest, double w_axis,
    double w_edge, double wh_rest, double wh_axis, double cs2, double inv_cs2) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth) return;
  const int cell = (x + 1) + row * (y + 1) + slab * (z + 1);
  const int in = cell + from;
  const int out = cell + to;

  // Chemical potential of the double well c^2 (1 - c)^2, and the force that it exerts along the gradient of c.
  const double c = phase[cell];
  const double c_sq = c * c;
  const double mu = beta * (2.0 * c - 6.0 * c_sq + 4.0 * c_sq * c) - kappa * lap_phase[cell];
  const double nx = nx_field[cell];
  const double ny = ny_field[cell];
  const double nz = nz_field[cell];
  const double rho = rho_light + rho_jump * c;
  const double inv_rho = 1.0 / rho;
  const double bulk = 1.0 - inv_tau_h;
  const double flux = sharpen * (c - c_sq);

  // Rest population of the phase field: depends on c only, so it is done before anything else is live.
  h0[out] = bulk * h0[in] + inv_tau_h * wh_rest * c;

  // Streaming: every population comes from its upstream neighbour.
  const double q0 = g0[in];
  const double q1 = g1[in - 1];
  const double q2 = g2[in + 1];
  const double q3 = g3[in - row];
  const double q4 = g4[in + row];
  const double q5 = g5[in - slab];
  const double q6 = g6[in + slab];
  const double q7 = g7[in - 1 - row];
  const double q8 = g8[in + 1 + row];
  const double q9 = g9[in - 1 + row];
  const double q10 = g10[in + 1 - row];
  const double q11 = g11[in - row - slab];
  const double q12 = g12[in + row + slab];
  const double q13 = g13[in - row + slab];
  const double q14 = g14[in + row - slab];
  const double q15 = g15[in - 1 - slab];
  const double q16 = g16[in + 1 + slab];
  const double q17 = g17[in + 1 - slab];
  const double q18 = g18[in - 1 + slab];

  const double pressure = q0 + q1 + q2 + q3 + q4 + q5 + q6 + q7 + q8 + q9 +
                          q10 + q11 + q12 + q13 + q14 + q15 + q16 + q17 + q18;
  const double fx = mu * nx;
  const double fy = mu * ny + gravity_y * rho - buoyancy;
  const double fz = mu * nz;
  const double jx = (q1 + q7 + q9 + q15 + q18) -
                    (q2 + q8 + q10 + q16 + q17);
  const double jy = (q3 + q7 + q10 + q11 + q13) -
                    (q4 + q8 + q9 + q12 + q14);
  const double jz = (q5 + q11 + q14 + q15 + q17) -
                    (q6 + q12 + q13 + q16 + q18);
  const double ux = jx + half_step * fx * inv_rho;
  const double uy = jy + half_step * fy * inv_rho;
  const double uz = jz + half_step * fz * inv_rho;

  // Phase field: relax towards transport by u plus the sharpening flux along the interface normal.
  const double carry = inv_tau_h * wh_axis;
  const double sx = carry * (4.0 * c * ux + flux * nx);
  const double sy = carry * (4.0 * c * uy + flux * ny);
  const double sz = carry * (4.0 * c * uz + flux * nz);
  h1[out] = bulk * h1[in - 1] + carry * c + sx;
  h2[out] = bulk * h2[in + 1] + carry * c - sx;
  h3[out] = bulk * h3[in - row] + carry * c + sy;
  h4[out] = bulk * h4[in + row] + carry * c - sy;
  h5[out] = bulk * h5[in - slab] + carry * c + sz;
  h6[out] = bulk * h6[in + slab] + carry * c - sz;

  // Hydrodynamics: BGK collision with the forcing terms split into even and odd parts per pair of directions.
  const double keep = 1.0 - inv_tau_q;
  const double u_sq = 0.5 * inv_cs2 * (ux * ux + uy * uy + uz * uz);
  const double work = inv_cs2 * inv_rho * (ux * fx + uy * fy + uz * fz);
  const double static_part = pressure * inv_tau_q;
  const double force_scale = inv_cs2 * inv_rho * (1.0 - 0.5 * inv_tau_q);
  g0[out] = keep * q0 + w_rest * (static_part - inv_tau_q * u_sq - (1.0 - 0.5 * inv_tau_q) * work);
  double speed, pull, even, odd;

  speed = ux;
  pull = force_scale * (fx);
  even = w_axis * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_axis * (inv_tau_q * inv_cs2 * speed + pull);
  g1[out] = keep * q1 + even + odd;
  g2[out] = keep * q2 + even - odd;

  speed = uy;
  pull = force_scale * (fy);
  even = w_axis * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_axis * (inv_tau_q * inv_cs2 * speed + pull);
  g3[out] = keep * q3 + even + odd;
  g4[out] = keep * q4 + even - odd;

  speed = uz;
  pull = force_scale * (fz);
  even = w_axis * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_axis * (inv_tau_q * inv_cs2 * speed + pull);
  g5[out] = keep * q5 + even + odd;
  g6[out] = keep * q6 + even - odd;

  speed = ux + uy;
  pull = force_scale * (fx + fy);
  even = w_edge * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_edge * (inv_tau_q * inv_cs2 * speed + pull);
  g7[out] = keep * q7 + even + odd;
  g8[out] = keep * q8 + even - odd;

  speed = ux - uy;
  pull = force_scale * (fx - fy);
  even = w_edge * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_edge * (inv_tau_q * inv_cs2 * speed + pull);
  g9[out] = keep * q9 + even + odd;
  g10[out] = keep * q10 + even - odd;

  speed = uy + uz;
  pull = force_scale * (fy + fz);
  even = w_edge * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_edge * (inv_tau_q * inv_cs2 * speed + pull);
  g11[out] = keep * q11 + even + odd;
  g12[out] = keep * q12 + even - odd;

  speed = uy - uz;
  pull = force_scale * (fy - fz);
  even = w_edge * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_edge * (inv_tau_q * inv_cs2 * speed + pull);
  g13[out] = keep * q13 + even + odd;
  g14[out] = keep * q14 + even - odd;

  speed = ux + uz;
  pull = force_scale * (fx + fz);
  even = w_edge * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_edge * (inv_tau_q * inv_cs2 * speed + pull);
  g15[out] = keep * q15 + even + odd;
  g16[out] = keep * q16 + even - odd;

  speed = -ux + uz;
  pull = force_scale * (-fx + fz);
  even = w_edge * (static_part + inv_tau_q * (0.5 * inv_cs2 * inv_cs2 * speed * speed - u_sq) +
            inv_cs2 * speed * pull - cs2 * work);
  odd = w_edge * (inv_tau_q * inv_cs2 * speed + pull);
  g17[out] = keep * q17 + even + odd;
  g18[out] = keep * q18 + even - odd;
}

struct PhaseFields {
  const double *phase, *lap_phase, *normal[3];
  double *h[7], *g[19];
};

struct PhaseParameters {
  double beta, kappa, sharpen, rho_light, rho_jump, inv_tau_h, inv_tau_q, half_step, gravity_y, buoyancy;
  double w_rest, w_axis, w_edge, wh_rest, wh_axis, cs2, inv_cs2;
};

void advance(const PhaseFields& f, const PhaseParameters& p, int width, int height, int depth, int from, int to,
             hipStream_t stream) {
  const int row = width + 2;
  const int slab = row * (height + 2);
  const dim3 block(64, 4, 1);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y, depth);
  phase_step<<<grid, block, 0, stream>>>(
      f.phase, f.lap_phase, f.normal[0], f.normal[1], f.normal[2],
      f.h[0], f.h[1], f.h[2], f.h[3], f.h[4], f.h[5], f.h[6],
      f.g[0], f.g[1], f.g[2], f.g[3], f.g[4], f.g[5], f.g[6], f.g[7], f.g[8], f.g[9],
      f.g[10], f.g[11], f.g[12], f.g[13], f.g[14], f.g[15], f.g[16], f.g[17], f.g[18],
      width, height, depth, row, slab, from, to, p.beta, p.kappa, p.sharpen, p.rho_light, p.rho_jump,
      p.inv_tau_h, p.inv_tau_q, p.half_step, p.gravity_y, p.buoyancy, p.w_rest, p.w_axis, p.w_edge,
      p.wh_rest, p.wh_axis, p.cs2, p.inv_cs2);
}
