package dev.pitwall.ui;

import static org.awaitility.Awaitility.await;

import java.util.function.Predicate;
import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.input.MouseButton;
import org.testfx.api.FxRobot;
import org.testfx.robot.Motion;
import org.testfx.service.query.NodeQuery;
import org.testfx.util.NodeQueryUtils;
import org.testfx.util.WaitForAsyncUtils;

/** A person at the window: clicks what is looked for once it can be seen, where the library's own robot would give up. */
public final class PatientRobot extends FxRobot {
    @Override
    public FxRobot clickOn(String query, Motion motion, MouseButton... buttons) {
        awaitSight(() -> lookup(query));
        return super.clickOn(query, motion, buttons);
    }

    @Override
    public <T extends Node> FxRobot clickOn(Predicate<T> wanted, Motion motion, MouseButton... buttons) {
        awaitSight(() -> lookup(wanted));
        return super.clickOn(wanted, motion, buttons);
    }

    /** @param query made anew for each look: it finds its nodes when it is made */
    private static void awaitSight(Supplier<NodeQuery> query) {
        await().until(() -> WaitForAsyncUtils.asyncFx(() ->
                query.get().match(NodeQueryUtils.isVisible()).tryQuery().isPresent()).get());
    }
}
