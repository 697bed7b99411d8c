package dev.pitwall.link.models;

import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ServerDriver.Pace;
import dev.pitwall.engine.live.ServerDriver.Progress;
import dev.pitwall.engine.live.ServerDriver.State;
import dev.pitwall.engine.live.ServerDriver.Stay;
import dev.pitwall.engine.live.ServerDriver.Where;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** What one kind of model server speaks; the calls are those of {@link dev.pitwall.engine.live.ServerDriver}. */
interface Tongue {

    State read() throws TroubleException, InterruptedException;

    Optional<String> show(ModelName model) throws TroubleException, InterruptedException;

    void load(ModelName model, Stay stay, Consumer<Progress> progress) throws TroubleException, InterruptedException;

    void unload(ModelName model, Duration limit) throws TroubleException, InterruptedException;

    Pace measure(ModelName model, Where where) throws TroubleException, InterruptedException;

    void pull(ModelName model, Consumer<Progress> progress) throws TroubleException, InterruptedException;
}
