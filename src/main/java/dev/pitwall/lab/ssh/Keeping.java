package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.World;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Where a machine's files and system are kept: in the world, or here where the world does not know the machine. */
final class Keeping {
    private final Optional<String> machine;
    private final Layer own;

    private Keeping(Optional<String> machine, Layer own) {
        this.machine = machine;
        this.own = own;
    }

    /** Of a machine of the world, or of one that stands beside its machines. */
    Keeping(String machine) {
        this(Optional.of(machine), new Layer(path -> false));
    }

    /** Of a machine that is none of the world's, whatever its name. */
    static Keeping apart(Layer layer) {
        return new Keeping(Optional.empty(), layer);
    }

    LabSystem system(World world) {
        return machine.flatMap(world::system).orElse(own.system());
    }

    Map<String, byte[]> files(World world) {
        return machine.flatMap(world::files).orElse(own.written());
    }

    /** True where nothing can be written at a path that could be written to by its kind. */
    boolean isReadOnly(String path) {
        return own.isReadOnly(path);
    }

    /** Changes what is kept, under the world's lock; what is kept apart is no change of the world. */
    void change(World world, Consumer<World> change) {
        if (machine.isPresent()) {
            world.change(change);
            return;
        }
        world.read(w -> own.with(layer -> {
            change.accept(w);
            layer.changed();
            return layer;
        }));
    }
}
