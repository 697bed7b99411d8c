package dev.pitwall.lab.ssh;

import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;

import java.time.InstantSource;

/** The garage scene's world without any server. */
public final class GarageWorld {
    private GarageWorld() {
    }

    public static World fresh() throws Exception {
        World world = new World(new LabClock(InstantSource.system()), 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        return world;
    }
}
