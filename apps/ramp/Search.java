package ramp;

import m0.views.Mount;

/** The face of a state that views see which only read: where the table is mounted. */
interface Search {
    Mount at();
}
