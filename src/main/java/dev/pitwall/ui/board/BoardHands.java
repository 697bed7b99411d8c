package dev.pitwall.ui.board;

import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.WallView;
import java.util.List;
import java.util.Optional;
import javafx.animation.AnimationTimer;
import javafx.css.PseudoClass;
import javafx.event.EventHandler;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.ButtonBase;
import javafx.scene.input.ContextMenuEvent;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;

/**
 * Drags with the pointer. Inside the window with plain mouse events, which behave the same on every platform and need no
 * clipboard of the system.
 */
final class BoardHands {

    private static final PseudoClass TARGET = PseudoClass.getPseudoClass("target");
    private static final double STARTS_AFTER = 4;
    private static final double SCROLL_EDGE = 36;
    private static final double SCROLL_STEP = 8;

    private final Node place;
    private final BoardWall wall;
    private final Node shelf;
    private final DragImage image;
    private final BoardModel model;
    private final BoardActions actions;
    private final Runnable remark;
    private final Flights flights;
    private final Runnable putDown;
    private final EventHandler<KeyEvent> escape = this::keyPressed;
    private final AnimationTimer scrolling = new AnimationTimer() {
        @Override
        public void handle(long now) {
            scroll();
        }
    };
    private Optional<Press> press = Optional.empty();
    private boolean dragging;
    private double x;
    private double y;

    /** @param row what was pressed, if it was a model on a card */
    private record Press(Carry carry, Optional<PlacementLine> row, double x, double y) {
    }

    /** @param putDown puts what is carried down where the model says it would be */
    BoardHands(Parent place, BoardWall wall, Node shelf, DragImage image, Flights flights, BoardModel model,
               BoardActions actions, Runnable remark, Runnable putDown) {
        this.place = place;
        this.wall = wall;
        this.shelf = shelf;
        this.image = image;
        this.flights = flights;
        this.model = model;
        this.actions = actions;
        this.remark = remark;
        this.putDown = putDown;
        place.addEventFilter(MouseEvent.MOUSE_PRESSED, this::pressed);
        place.addEventFilter(MouseEvent.MOUSE_DRAGGED, this::dragged);
        place.addEventFilter(MouseEvent.MOUSE_RELEASED, this::released);
        place.addEventHandler(ContextMenuEvent.CONTEXT_MENU_REQUESTED, this::menu);
    }

    private void pressed(MouseEvent event) {
        press = Optional.empty();
        actions.menus().close();
        if (event.getButton() != MouseButton.PRIMARY || dragging) {
            return;
        }
        Optional<Node> target = node(event.getTarget());
        if (target.filter(BoardHands::inButton).isPresent()) {
            return;
        }
        Optional<PlacementLine> row = target.flatMap(wall::rowOf);
        Optional<Carry> carry = row.map(r -> (Carry) new Carry.OfCards(model.about(r.id())))
                .or(() -> target.flatMap(BoardHands::shelfLine).flatMap(ShelfLine::carry));
        press = carry.map(c -> new Press(c, row, event.getSceneX(), event.getSceneY()));
        target.filter(t -> row.isEmpty()).flatMap(wall::columnOf).ifPresent(column -> {
            model.cursor(new At(column.id(), Optional.empty()));
            model.chooseNone();
            wall.requestFocus();
            remark.run();
        });
    }

    private void dragged(MouseEvent event) {
        x = event.getSceneX();
        y = event.getSceneY();
        if (!dragging && press.filter(p -> Math.hypot(x - p.x(), y - p.y()) > STARTS_AFTER).isPresent()) {
            begin(press.get());
        }
        if (dragging) {
            event.consume();
            image.move(x, y);
            over();
        }
    }

    private void begin(Press what) {
        dragging = true;
        model.lift(what.carry());
        showImage(what.carry());
        scene().ifPresent(s -> s.addEventFilter(KeyEvent.KEY_PRESSED, escape));
        scrolling.start();
        remark.run();
    }

    private void showImage(Carry carry) {
        List<String> names = carry.models().stream().map(Object::toString).toList();
        switch (carry) {
            case Carry.OfShelf(var name) -> model.view().map(WallView::shelf).stream().flatMap(List::stream)
                    .filter(m -> m.name().equals(name)).findFirst().ifPresentOrElse(
                            m -> image.show(names, Optional.of(Fill.of(m.need())), Bytes.gib(m.need())),
                            () -> image.show(names, Optional.empty(), ""));
            case Carry.OfCards(List<PlacementId> all) -> {
                Optional<PlacementLine> one = all.size() > 1 ? Optional.empty() : model.column(all.getFirst().provider())
                        .flatMap(c -> c.placement(all.getFirst().model()));
                image.show(names, one.map(PlacementLine::fill), one.map(PlacementLine::size).orElse(""));
            }
        }
    }

    private void over() {
        Drop drop = wall.cardAt(x, y).<Drop>map(Drop.OnCard::new).orElseGet(() ->
                shelf.contains(shelf.sceneToLocal(x, y)) && model.carry().flatMap(Carry::ontoShelf).isPresent()
                        ? new Drop.OnShelf() : new Drop.Nowhere());
        if (!drop.equals(model.drop())) {
            model.over(drop);
            showShelfTarget();
            remark.run();
        }
    }

    private void showShelfTarget() {
        shelf.pseudoClassStateChanged(TARGET,
                model.carry().isPresent() && model.drop().equals(new Drop.OnShelf()));
    }

    private void released(MouseEvent event) {
        Optional<Press> before = press;
        press = Optional.empty();
        if (dragging) {
            event.consume();
            image.seenAt().ifPresent(at -> model.carry().ifPresent(carry -> flights.dropped(carry.models(), at)));
            end();
            putDown.run();
            showShelfTarget();
            return;
        }
        before.flatMap(Press::row).filter(_ -> event.getButton() == MouseButton.PRIMARY).ifPresent(row -> choose(row, event));
    }

    private void choose(PlacementLine row, MouseEvent event) {
        if (event.isShiftDown()) {
            model.chooseTo(row.id());
        } else if (event.isShortcutDown()) {
            model.toggle(row.id());
        } else {
            model.choose(row.id());
        }
        model.cursor(new At(row.id().provider(), Optional.of(row.id().model())));
        wall.requestFocus();
        remark.run();
    }

    private void keyPressed(KeyEvent event) {
        if (event.getCode() == KeyCode.ESCAPE) {
            event.consume();
            stop();
        }
    }

    /** Puts back what is dragged, if anything is. */
    void stop() {
        if (dragging) {
            end();
            model.putBack();
            showShelfTarget();
            remark.run();
        }
    }

    /** What is dragged may have gone meanwhile. */
    void follow() {
        if (dragging && model.carry().isEmpty()) {
            stop();
        }
    }

    private void end() {
        dragging = false;
        press = Optional.empty();
        image.hide();
        scrolling.stop();
        scene().ifPresent(s -> s.removeEventFilter(KeyEvent.KEY_PRESSED, escape));
    }

    private Optional<Scene> scene() {
        return Optional.ofNullable(place.getScene());
    }

    /** Near its upper or lower end the wall moves on by itself. */
    private void scroll() {
        double at = wall.sceneToLocal(x, y).getY();
        if (wall.cardAt(x, y).isEmpty()) {
            return;
        }
        if (at < SCROLL_EDGE) {
            wall.scrollBy(-SCROLL_STEP);
        } else if (at > wall.getHeight() - SCROLL_EDGE) {
            wall.scrollBy(SCROLL_STEP);
        }
        over();
    }

    private void menu(ContextMenuEvent event) {
        Optional<Node> target = node(event.getTarget());
        Optional<PlacementLine> row = target.flatMap(wall::rowOf);
        if (row.isPresent()) {
            actions.menus().show(actions.menus().placement(row.get(), model.about(row.get().id())), wall, event.getScreenX(),
                    event.getScreenY());
        } else {
            target.flatMap(wall::columnOf).ifPresent(column -> actions.menus().show(actions.menus().card(column), wall,
                    event.getScreenX(), event.getScreenY()));
            target.flatMap(BoardHands::shelfLine).flatMap(actions.menus()::shelf).ifPresent(menu ->
                    actions.menus().show(menu, shelf, event.getScreenX(), event.getScreenY()));
        }
    }

    private static Optional<Node> node(Object target) {
        return switch (target) {
            case Node node -> Optional.of(node);
            default -> Optional.empty();
        };
    }

    private static boolean inButton(Node node) {
        for (Node n = node; n != null; n = n.getParent()) {
            switch (n) {
                case ButtonBase _ -> {
                    return true;
                }
                default -> { }
            }
        }
        return false;
    }

    private static Optional<ShelfLine> shelfLine(Node node) {
        for (Node n = node; n != null; n = n.getParent()) {
            switch (n) {
                case ShelfCell cell -> {
                    return Optional.ofNullable(cell.getItem());
                }
                default -> { }
            }
        }
        return Optional.empty();
    }
}
