#include "exchange/particles_ply.h"

#include "core/memory.h"
#include "core/text.h"
#include "core/vec3.h"
#include "io/file.h"

#include <stdint.h>

/** A vertex as it is in a file. Its members are the properties in the header, in this order. */
typedef struct PlyParticle {
    BrumeVec3 position, velocity, normal;
    float age, radius;
    int32_t kind, id;
} PlyParticle;

_Static_assert(sizeof(PlyParticle) == 13 * 4, "vertices are written as they are in memory");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "vertices are written as they are in memory");

static const char properties[] = "property float x\nproperty float y\nproperty float z\n"
                                 "property float vx\nproperty float vy\nproperty float vz\n"
                                 "property float nx\nproperty float ny\nproperty float nz\n"
                                 "property float age\nproperty float radius\nproperty int kind\nproperty int id\n";

static BrumeVec3 turned(BrumeVec3 vector, bool z_up)
{
    return z_up ? brume_vec3(vector.x, -vector.z, vector.y) : vector;
}

BrumeStatus brume_particles_ply_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                                      BrumeError *error)
{
    const size_t count = (size_t)frame->particle_count;
    PlyParticle *const vertices = brume_alloc_untouched(count + 1, sizeof *vertices);
    for (size_t n = 0; n < count && vertices; n++) {
        const BrumeParticle *particle = &frame->particles[n];
        vertices[n] = (PlyParticle){
            .position = turned(particle->position, def->z_up),
            .velocity = turned(particle->velocity, def->z_up),
            .normal = turned(particle->normal, def->z_up),
            .age = particle->age,
            .radius = 0.5f * particle->diameter,
            .kind = (int32_t)particle->kind,
            .id = (int32_t)particle->id,
        };
    }
    BrumeText head = {0};
    brume_text_add(&head,
                   "ply\nformat binary_little_endian 1.0\n"
                   "comment Brume: particles, coordinates in metres, %c up, time %.9g s\n"
                   "element vertex %zu\n%send_header\n",
                   def->z_up ? 'z' : 'y', frame->time, count, properties);
    BrumeStatus status = BRUME_OK;
    if (head.failed || !vertices) {
        status = brume_out_of_memory(error, "%s", path);
    } else {
        const BrumeBytes parts[] = {{head.data, head.size}, {vertices, count * sizeof *vertices}};
        status = brume_file_write_parts(path, parts, sizeof parts / sizeof parts[0], def->overwrite, error);
    }
    brume_free(vertices);
    brume_text_destroy(&head);
    return status;
}
