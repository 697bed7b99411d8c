package dev.pitwall.ui.board;

import dev.pitwall.card.FloorState;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.StatusText;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import javafx.event.EventHandler;
import javafx.scene.Node;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;

/** All that the pointer does, by keys: arrows, M lifts, arrows choose a card, Enter drops, Esc puts back, P, H, Del. */
final class BoardKeys implements EventHandler<KeyEvent> {

    private final Desk desk;
    private final Texts texts;
    private final BoardModel model;
    private final BoardWall wall;
    private final ListView<ShelfLine> models;
    private final TextField filter;
    private final BoardActions actions;
    private final Runnable remark;
    private final Runnable putDown;
    private Optional<Node> back = Optional.empty();

    BoardKeys(Desk desk, BoardModel model, BoardWall wall, ListView<ShelfLine> models, TextField filter, BoardActions actions,
              Runnable remark, Runnable putDown) {
        this.desk = desk;
        this.texts = desk.texts();
        this.model = model;
        this.wall = wall;
        this.models = models;
        this.filter = filter;
        this.actions = actions;
        this.remark = remark;
        this.putDown = putDown;
    }

    @Override
    public void handle(KeyEvent event) {
        if (event.isControlDown() || event.isAltDown() || event.isMetaDown() || desk.overlay().isShowing()) {
            return;
        }
        boolean used = model.carry().isPresent() ? carrying(event.getCode())
                : wall.isFocused() ? onWall(event)
                : models.isFocused() ? onShelf(event.getCode()) : inFilter(event);
        if (used) {
            event.consume();
            // First marked, so that what is told is the answer of the card that is chosen now.
            remark.run();
            tell();
        }
    }

    private boolean inFilter(KeyEvent event) {
        boolean typing = switch (event.getTarget()) {
            case TextInputControl _ -> true;
            default -> false;
        };
        if (!typing || event.getCode() != KeyCode.ESCAPE && event.getCode() != KeyCode.DOWN) {
            return false;
        }
        if (event.getCode() == KeyCode.ESCAPE) {
            filter.clear();
        }
        models.requestFocus();
        selectFirst();
        return true;
    }

    private void selectFirst() {
        models.getItems().stream().filter(l -> l.carry().isPresent()).findFirst().ifPresent(models.getSelectionModel()::select);
    }

    private boolean carrying(KeyCode code) {
        switch (code) {
            case LEFT -> choose(-1);
            case RIGHT -> choose(1);
            case UP -> choose(-wall.across());
            case DOWN -> choose(wall.across());
            case ENTER -> {
                putDown.run();
                back();
            }
            case ESCAPE -> {
                model.putBack();
                back();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void choose(int steps) {
        model.nextDrop(steps);
        switch (model.drop()) {
            case Drop.OnCard(ProviderId id) -> wall.scrollTo(id, Optional.empty());
            case Drop.OnShelf _, Drop.Nowhere _ -> { }
        }
    }

    private void back() {
        back.ifPresent(Node::requestFocus);
        back = Optional.empty();
    }

    private boolean onShelf(KeyCode code) {
        Optional<ShelfLine> line = Optional.ofNullable(models.getSelectionModel().getSelectedItem());
        Optional<Carry> carry = line.flatMap(ShelfLine::carry);
        switch (code) {
            case M -> carry.ifPresent(c -> lift(c, models));
            case ENTER -> carry.ifPresent(actions::chooseTarget);
            case DELETE -> line.ifPresent(l -> {
                switch (l) {
                    case ShelfLine.OnCard c -> actions.evict(List.of(c.id()));
                    case ShelfLine.OnDisk _, ShelfLine.Head _, ShelfLine.Waiting _, ShelfLine.Pull _, ShelfLine.Nothing _ -> { }
                }
            });
            case CONTEXT_MENU -> line.flatMap(actions.menus()::shelf).ifPresent(m -> actions.menus().show(m, models));
            default -> {
                return false;
            }
        }
        return carry.isPresent();
    }

    private void lift(Carry carry, Node from) {
        back = Optional.of(from);
        model.lift(carry);
        switch (carry) {
            case Carry.OfShelf _ -> choose(1);
            case Carry.OfCards _ -> { }
        }
        wall.requestFocus();
        wall.keyboard(true);
    }

    private boolean onWall(KeyEvent event) {
        switch (event.getCode()) {
            case UP -> model.moveRow(-1);
            case DOWN -> model.moveRow(1);
            case LEFT -> model.moveColumn(-1);
            case RIGHT -> model.moveColumn(1);
            case PAGE_UP -> model.moveColumn(-wall.across());
            case PAGE_DOWN -> model.moveColumn(wall.across());
            case M -> placement().ifPresent(p -> lift(new Carry.OfCards(model.about(p)), wall));
            case P -> placement().ifPresent(p -> actions.pin(model.about(p)));
            case H -> column().ifPresent(actions::toggleHold);
            case DELETE, BACK_SPACE -> placement().ifPresent(p -> actions.evict(model.about(p)));
            case ENTER -> placement().ifPresent(p -> actions.chooseTarget(new Carry.OfCards(model.about(p))));
            case SPACE -> placement().ifPresent(p -> {
                if (event.isShiftDown()) {
                    model.chooseTo(p);
                } else {
                    model.toggle(p);
                }
            });
            case CONTEXT_MENU -> showMenu();
            case ESCAPE -> {
                return model.chooseNone();
            }
            default -> {
                return false;
            }
        }
        model.cursor().ifPresent(at -> wall.scrollTo(at.provider(), at.placement()));
        return true;
    }

    private Optional<PlacementId> placement() {
        return model.cursor().flatMap(At::placement);
    }

    private Optional<ColumnLine> column() {
        return model.cursor().flatMap(at -> model.column(at.provider()));
    }

    private Optional<PlacementLine> row() {
        return placement().flatMap(p -> model.column(p.provider()).flatMap(c -> c.placement(p.model())));
    }

    private void showMenu() {
        Optional<ColumnCard> card = column().flatMap(c -> wall.card(c.id()));
        row().ifPresentOrElse(r -> actions.menus().show(actions.menus().placement(r, model.about(r.id())),
                        card.flatMap(c -> c.row(r.id()).map(n -> (Node) n)).orElse(wall)),
                () -> column().ifPresent(c -> actions.menus().show(actions.menus().card(c), card.map(k -> (Node) k.menu()).orElse(wall))));
    }

    /** Says where the keyboard is: in the status line, and to a screen reader. */
    void tell() {
        if (model.carry().isPresent()) {
            String where = switch (model.drop()) {
                case Drop.OnCard(ProviderId id) -> model.column(id).map(c -> c.group() + " · " + c.called()).orElse("");
                case Drop.OnShelf _ -> texts.get("board.drop.shelf");
                case Drop.Nowhere _ -> texts.get("board.drop.nowhere");
            };
            String what = texts.get("board.carrying", String.join(", ", model.carry().get().models().stream().map(Object::toString).toList()));
            say(what, where, answer());
            return;
        }
        column().ifPresent(column -> row().ifPresentOrElse(
                row -> say(column.group() + " · " + column.called(), row.name(), row.word() + "  " + row.more().replace("\n", " · ")),
                () -> say(column.group() + " · " + column.called(), column.figures(), column.free())));
        wall.speak(row().map(PlacementLine::spoken).orElse(column().map(ColumnLine::spoken).orElse("")));
    }

    private String answer() {
        return switch (model.drop()) {
            case Drop.OnCard(ProviderId id) -> wall.card(id).flatMap(ColumnCard::answer).map(a -> a.title() + ". " + a.text()).orElse("");
            case Drop.OnShelf _, Drop.Nowhere _ -> "";
        };
    }

    private void say(String title, String text, String more) {
        desk.shell().statusProperty().set(new StatusText(Optional.empty(), FloorState.NOT_APPLICABLE, title, text, more, ""));
        wall.speak(title + ", " + text + ". " + more);
    }
}
