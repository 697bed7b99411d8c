package dev.pitwall.lab.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorldTest {

    @Test
    void a_listener_hears_of_each_change_until_it_is_closed() {
        World world = new World(new LabClock(InstantSource.system()), 1);
        AtomicInteger heard = new AtomicInteger();
        try (Listening listening = world.onChange(heard::incrementAndGet)) {
            world.change(w -> { });
            world.change(w -> { });
        }
        world.change(w -> { });
        assertThat(heard).hasValue(2);
    }
}
