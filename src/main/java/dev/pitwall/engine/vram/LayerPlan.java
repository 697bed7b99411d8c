package dev.pitwall.engine.vram;

import java.util.List;

/**
 * The layers of a model as its context memory is laid out.
 *
 * @param window tokens that a layer with a window sees; 0 = no layer has one
 * @param next   of the file's layers predict further tokens and are not run unless asked for
 */
record LayerPlan(List<Layer> layers, long window, int next) {

    LayerPlan {
        layers = List.copyOf(layers);
    }

    long sliding() {
        return layers.stream().filter(l -> l.reach() == Layer.Reach.WINDOW && l.keys() > 0).count();
    }

    long attending() {
        return layers.stream().filter(l -> l.keys() > 0).count();
    }

    long recurrent() {
        return layers.stream().filter(l -> l.state() > 0).count();
    }
}
