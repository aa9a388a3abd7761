// The host's side of the random libraries: the includer defines REGPRESS_RAND(name).
typedef struct REGPRESS_RAND(Generator_st) *REGPRESS_RAND(Generator_t);
enum REGPRESS_RAND(Status) : int {};
typedef enum REGPRESS_RAND(Status) REGPRESS_RAND(Status_t);
enum REGPRESS_RAND(RngType) : int {};
typedef enum REGPRESS_RAND(RngType) REGPRESS_RAND(RngType_t);
enum REGPRESS_RAND(Ordering) : int {};
typedef enum REGPRESS_RAND(Ordering) REGPRESS_RAND(Ordering_t);
#define REGPRESS_RAND_HOST(name) \
  template <typename... A>       \
  REGPRESS_RAND(Status_t) REGPRESS_RAND(name)(A &&...);
REGPRESS_RAND_HOST(CreateGenerator)
REGPRESS_RAND_HOST(CreateGeneratorHost)
REGPRESS_RAND_HOST(DestroyGenerator)
REGPRESS_RAND_HOST(SetPseudoRandomGeneratorSeed)
REGPRESS_RAND_HOST(SetGeneratorOffset)
REGPRESS_RAND_HOST(SetGeneratorOrdering)
REGPRESS_RAND_HOST(SetStream)
REGPRESS_RAND_HOST(Generate)
REGPRESS_RAND_HOST(GenerateUniform)
REGPRESS_RAND_HOST(GenerateUniformDouble)
REGPRESS_RAND_HOST(GenerateNormal)
REGPRESS_RAND_HOST(GenerateNormalDouble)
