package dev.pitwall.ui;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javafx.application.Platform;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseButton;
import javafx.stage.Window;
import org.hamcrest.Matcher;
import org.testfx.api.FxRobot;
import org.testfx.robot.BaseRobot;
import org.testfx.robot.Motion;
import org.testfx.service.query.NodeQuery;
import org.testfx.util.NodeQueryUtils;
import org.testfx.util.WaitForAsyncUtils;

/**
 * A person at the window. Clicks what is looked for once it can be seen, where the library's own robot would give up; and
 * goes on when the window has done what follows, where that one sleeps a twentieth of a second after each move, press and
 * release, and glides.
 */
public final class PatientRobot extends FxRobot {
    /** What an event puts off till later may do so again: as many times as the library's robot waits for. */
    private static final int ROUNDS = 5;

    /** Walks the scene on the thread that changes it: beside it, a list may shrink under the walk. */
    @Override
    public NodeQuery lookup(String query) {
        return onFxThread(() -> super.lookup(query));
    }

    @Override
    public <T extends Node> NodeQuery lookup(Matcher<T> wanted) {
        return onFxThread(() -> super.lookup(wanted));
    }

    @Override
    public <T extends Node> NodeQuery lookup(Predicate<T> wanted) {
        return onFxThread(() -> super.lookup(wanted));
    }

    private static NodeQuery onFxThread(Supplier<NodeQuery> query) {
        return Platform.isFxApplicationThread() ? query.get()
                : WaitForAsyncUtils.waitFor(WaitForAsyncUtils.asyncFx(query::get));
    }

    @Override
    public FxRobot clickOn(String query, Motion motion, MouseButton... buttons) {
        return click(() -> lookup(query), buttons);
    }

    @Override
    public <T extends Node> FxRobot clickOn(Predicate<T> wanted, Motion motion, MouseButton... buttons) {
        return click(() -> lookup(wanted), buttons);
    }

    @Override
    public FxRobot clickOn(Node node, Motion motion, MouseButton... buttons) {
        settle();
        return click(WaitForAsyncUtils.waitFor(WaitForAsyncUtils.asyncFx(() -> point(node).query())), buttons);
    }

    /**
     * Finds the node and its place in one go: between two, a page that changes may have put another in its place.
     *
     * @param query made anew for each look: it finds its nodes when it is made
     */
    private FxRobot click(Supplier<NodeQuery> query, MouseButton... buttons) {
        settle();
        return click(TestWindow.await().until(() -> WaitForAsyncUtils.asyncFx(() ->
                query.get().match(NodeQueryUtils.isVisible()).tryQuery().map(node -> point(node).query())).get(),
                Optional::isPresent).orElseThrow(), buttons);
    }

    private FxRobot click(Point2D point, MouseButton... buttons) {
        BaseRobot base = robotContext().getBaseRobot();
        base.moveMouse(point);
        settle();
        for (MouseButton button : buttons.length == 0 ? List.of(MouseButton.PRIMARY) : List.of(buttons)) {
            base.pressMouse(button);
            base.releaseMouse(button);
        }
        settle();
        return this;
    }

    /** Keys that are held together. They go to the window that has the focus, which one that was just shown gets later. */
    @Override
    public FxRobot push(KeyCode... combination) {
        TestWindow.await().until(() -> WaitForAsyncUtils.asyncFx(() ->
                Window.getWindows().stream().anyMatch(Window::isFocused)).get());
        BaseRobot base = robotContext().getBaseRobot();
        List.of(combination).forEach(base::pressKeyboard);
        List.of(combination).reversed().forEach(base::releaseKeyboard);
        settle();
        return this;
    }

    @Override
    public FxRobot interact(Runnable action) {
        WaitForAsyncUtils.waitFor(WaitForAsyncUtils.asyncFx(action));
        settle();
        return this;
    }

    @Override
    public <T> FxRobot interact(Callable<T> action) {
        WaitForAsyncUtils.waitFor(WaitForAsyncUtils.asyncFx(action));
        settle();
        return this;
    }

    /** What was asked for has been done, and all is where it belongs, as after the next pulses. */
    private static void settle() {
        for (int i = 0; i < ROUNDS; i++) {
            WaitForAsyncUtils.waitFor(WaitForAsyncUtils.asyncFx(() -> Window.getWindows().stream().flatMap(window -> Stream.ofNullable(window.getScene())).toList()
                    .forEach(scene -> {
                        scene.getRoot().applyCss();
                        scene.getRoot().layout();
                    })));
        }
    }
}
