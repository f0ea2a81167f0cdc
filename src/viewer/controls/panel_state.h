/**
 * @file panel_state.h
 * The state of panel and brush that is saved between two runs of the program.
 */
#ifndef BRUME_VIEWER_CONTROLS_PANEL_STATE_H
#define BRUME_VIEWER_CONTROLS_PANEL_STATE_H

#include <stdbool.h>

enum { BRUME_PANEL_SECTIONS = 32, BRUME_SECTION_NAME = 24 };

#define BRUME_MIN_PANEL_POINTS 200.0f
#define BRUME_MAX_PANEL_POINTS 640.0f
#define BRUME_MIN_BRUSH_SIZE 0.01f
#define BRUME_MAX_BRUSH_SIZE 100.0f

typedef struct BrumePanelState {
    bool has_sections; ///< the open sections are known; otherwise each has its initial state
    int open_count;
    char open_sections[BRUME_PANEL_SECTIONS][BRUME_SECTION_NAME]; ///< names of the open sections
    float width;      ///< width of the panel [points], BRUME_MIN_PANEL_POINTS to BRUME_MAX_PANEL_POINTS; 0: automatic
    int brush_mode;   ///< BrumeBrushMode
    int brush_color;  ///< kind of smoke: 0 plain, 1 to 3 the colors
    float brush_size; ///< radius of the brush relative to the initial radius in the scene
} BrumePanelState;

#endif
