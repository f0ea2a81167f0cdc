// Chooses the grids of an OpenVDB file that are read, and gives them Brume's names.
#include "exchange/vdb/vdb_inputs.h"

#include "exchange/vdb/vdb_file.h"
#include "exchange/vdb/vdb_names.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <openvdb/openvdb.h>

namespace
{

bool is_vector(const openvdb::GridBase &grid)
{
    return grid.isType<openvdb::Vec3SGrid>() || grid.isType<openvdb::Vec3DGrid>();
}

bool is_scalar(const openvdb::GridBase &grid)
{
    return grid.isType<openvdb::FloatGrid>() || grid.isType<openvdb::DoubleGrid>();
}

bool is_level_set(const openvdb::GridBase &grid)
{
    return grid.getGridClass() == openvdb::GRID_LEVEL_SET && is_scalar(grid);
}

// Why a grid is left out; empty: it is read. Level sets are read from files that have nothing else: their voxels are
// often different from the voxels of smoke.
std::string reason_against(const openvdb::GridBase &grid, bool only_level_sets)
{
    if (grid.getGridClass() == openvdb::GRID_LEVEL_SET && !only_level_sets) {
        return "is a level set";
    }
    if (brume_vdb_starts_with(grid.valueType(), "ptdataidx")) {
        return "holds points";
    }
    if (!is_scalar(grid) && !is_vector(grid)) {
        return "has values of type " + grid.valueType();
    }
    BrumeVdbPlacement placement;
    if (!brume_vdb_find_placement(placement, grid, false)) {
        return "has voxels that are no parallelepipeds, as the voxels of a camera's frustum (resample it to cubes)";
    }
    return "";
}

void describe_input(BrumeVdbInput &input, bool z_up)
{
    const openvdb::GridBase &grid = *input.grid;
    input.components = is_vector(grid) ? 3 : 1;
    input.staggered = input.components == 3 && grid.getGridClass() == openvdb::GRID_STAGGERED;
    input.unit = brume_vdb_text_meta(grid, brume_vdb_unit);
    input.scale = 1.0;
    input.offset = 0.0;
    input.colors = 0;
    double scale = 0.0;
    if (brume_vdb_starts_with(grid.getCreator(), "Brume ") && brume_vdb_get_meta(grid, brume_vdb_scale, scale) &&
        scale != 0.0 && std::isfinite(scale)) {
        input.scale = scale;
        brume_vdb_get_meta(grid, brume_vdb_offset, input.offset);
        input.unit.clear();
    }
    input.level_set = is_level_set(grid);
    if (input.level_set) {
        input.scale = -1.0;
        input.unit = "m";
    }
    std::int32_t colors = 0;
    if (input.components == 3 && brume_vdb_get_meta(grid, brume_vdb_colors, colors)) {
        input.colors = colors & 7;
    }
    input.active = grid.evalActiveVoxelBoundingBox();
    (void)brume_vdb_find_placement(input.placement, grid, z_up);
}

// whether a list of names separated by commas has this name, or as a prefix of a name such as color_1
bool is_listed(const char *list, const std::string &name)
{
    const std::string names = "," + std::string(list) + ",";
    return names.find("," + name + ",") != std::string::npos || names.find("," + name + "_") != std::string::npos;
}

std::string numbered_name(const BrumeVdbInput &input)
{
    return input.grid->getName() + "[" + std::to_string(input.number) + "]";
}

// counts the inputs of the same name: `number` are before an input, `same` are there in all
void number_inputs(std::vector<BrumeVdbInput> &inputs)
{
    for (BrumeVdbInput &input : inputs) {
        input.number = input.same = 0;
        for (const BrumeVdbInput &other : inputs) {
            const bool same = other.grid->getName() == input.grid->getName();
            input.number += same && &other < &input ? 1 : 0;
            input.same += same ? 1 : 0;
        }
    }
}

// whether the values of two inputs are added
bool are_added(const BrumeVdbInput &one, const BrumeVdbInput &other)
{
    return one.name == other.name && one.grid->getName() == other.grid->getName() &&
           one.components == other.components && one.staggered == other.staggered && !one.level_set &&
           !other.level_set && one.colors == other.colors;
}

// Gives the grids Brume's names. A grid that already has such a name comes before others with another name for the
// same. Grids of one name keep it, and their values are added, unless one is asked for by its number.
void name_inputs(std::vector<BrumeVdbInput> &inputs, const BrumeVolumeReadDef &def)
{
    const auto is_taken = [&inputs](const std::string &name, const std::string &own) {
        return std::any_of(inputs.begin(), inputs.end(), [&](const BrumeVdbInput &input) {
            return input.name == name && input.grid->getName() != own;
        });
    };
    number_inputs(inputs);
    for (BrumeVdbInput &input : inputs) {
        const std::string name = numbered_name(input);
        const std::string own = input.grid->getName();
        const bool is_asked_for = name == def.density || is_listed(def.grids, name);
        input.name = input.same > 1 && is_asked_for ? name : own == def.density ? own : "";
    }
    for (const bool same : {true, false}) {
        for (BrumeVdbInput &input : inputs) {
            const std::string own = input.grid->getName();
            const char *known = brume_vdb_known_name(own.c_str(), input.components);
            const bool is_other_density = known && def.density[0] != '\0' &&
                                          std::strcmp(known, BRUME_GRID_DENSITY) == 0 &&
                                          std::strcmp(known, def.density) != 0;
            if (input.name.empty() && known && !is_other_density && (own == known) == same && !is_taken(known, own)) {
                input.name = known;
            }
        }
    }
    for (std::size_t n = 0; n < inputs.size(); n++) {
        BrumeVdbInput &input = inputs[n];
        if (input.name.empty()) {
            input.name = input.grid->getName().empty() ? "unnamed" : input.grid->getName();
        }
        for (std::size_t other = 0; other < n; other++) {
            if (inputs[other].name == input.name && !are_added(inputs[other], input)) {
                input.name = numbered_name(input);
            }
        }
        if (input.unit.empty() || input.unit.size() >= BRUME_MAX_UNIT) {
            input.unit = brume_vdb_unit_of(input.name.c_str());
        }
    }
}

// Removes the grids that are not needed, or that are not the density although their name says so, unless none is left:
// the caller then lists them.
void remove_others(std::vector<BrumeVdbInput> &inputs, const BrumeVolumeReadDef &def)
{
    const auto is_needed = [&def](const BrumeVdbInput &input) {
        if (def.density[0] != '\0' && input.name != def.density && input.name == BRUME_GRID_DENSITY) {
            return false; // another grid takes its place
        }
        return def.grids[0] == '\0' || input.name == def.density || is_listed(def.grids, input.name);
    };
    if (std::any_of(inputs.begin(), inputs.end(), is_needed)) {
        inputs.erase(std::stable_partition(inputs.begin(), inputs.end(), is_needed), inputs.end());
    }
}

} // namespace

BrumeStatus brume_vdb_choose_grids(std::vector<BrumeVdbInput> &inputs, const openvdb::GridPtrVec &grids, bool z_up,
                                   const BrumeVolumeReadDef &def, const char *path, BrumeError *error)
{
    std::string reasons;
    bool only_level_sets = !grids.empty();
    for (const openvdb::GridBase::Ptr &grid : grids) {
        only_level_sets = only_level_sets && is_level_set(*grid);
    }
    for (const openvdb::GridBase::Ptr &grid : grids) {
        const std::string reason = reason_against(*grid, only_level_sets);
        if (reason.empty()) {
            BrumeVdbInput input = {};
            input.grid = grid;
            describe_input(input, z_up);
            inputs.push_back(input);
        } else {
            reasons += (reasons.empty() ? "'" : ", '") + grid->getName() + "' " + reason;
        }
    }
    if (inputs.empty()) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: has no grid of smoke, heat or air: %s (convert it to a fog volume)", path,
                          reasons.empty() ? "it has no grids" : reasons.c_str());
    }
    name_inputs(inputs, def);
    remove_others(inputs, def);
    return BRUME_OK;
}
