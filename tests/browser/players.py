"""People who play in the browser: with a finger, or with the keyboard alone."""

import json

from playwright.sync_api import Browser, Locator, Page

from tests.browser.chromium import Watch, new_context, sideways

PHONE = {"width": 360, "height": 740}
MOST_TABS = 250

READ_BOARD = """() => ({
  palaces: Object.fromEntries([...document.querySelectorAll(".board .palace")].map((palace) => [
    palace.dataset.palace,
    Object.fromEntries([...palace.querySelectorAll(".areas [data-scholar]")].map(
      (area) => [area.dataset.area, area.dataset.scholar])),
  ])),
  doors: Object.fromEntries([...document.querySelectorAll(".board .palace")].map((palace) => [
    palace.dataset.palace,
    [...palace.querySelectorAll(".door [data-scholar]")].map((one) => one.dataset.scholar),
  ])),
  island: [...document.querySelectorAll(".board .island [data-scholar]")].map(
    (one) => one.dataset.scholar),
  cash: [...document.querySelectorAll(".board .palace .cash")].map((one) => [
    one.closest(".palace").dataset.palace, one.innerText.replace(/\\D/g, "")]),
})"""

FOCUS = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const before = window.focusedBefore;
  const follows = !before || !before.isConnected || one === before ||
    Boolean(before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  window.focusedBefore = one;
  return {
    what: `${one.tagName} ${one.name || one.innerText || ""}`.slice(0, 60),
    onPage: one !== document.body,
    follows,
    ringed: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    inSight: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
}"""


class Player:
    """Somebody with a phone. `javascript` says whether their browser runs any."""

    def __init__(self, chromium: Browser, site: str, name: str, *, javascript: bool) -> None:
        self.name = name
        self.javascript = javascript
        self.context = new_context(
            chromium, site, viewport=PHONE, has_touch=True, java_script_enabled=javascript
        )
        self.watch = Watch(self.context, site)
        self.page: Page = self.context.new_page()

    def sign_in(self) -> None:
        self.open("/accounts/login/")
        self.fill("login", f"{self.name.lower()}@example.org")
        self.fill("password", "not so secret")
        self.press(self.page.locator("main form button", has_text="Sign in").first)

    def open(self, address: str) -> None:
        """Go to an address, as by a link in an email."""
        assert self.page.goto(address).status == 200
        assert sideways(self.page) <= 0, f"{address} is wider than the phone"

    def control(self, name: str) -> Locator:
        return self.page.locator(f"main form [name={json.dumps(name)}]")

    def answer(self, filled: dict[str, str]) -> None:
        """Fill in the decision's form."""
        for name, value in filled.items():
            self.fill(name, value)

    def fill(self, name: str, value: str) -> None:
        """Fill in the field of this name, whatever it is."""
        control = self.control(name)
        kind = control.first.get_attribute("type")
        if kind == "checkbox":
            self.choose(control)
        elif kind == "radio":
            self.choose(control.and_(self.page.locator(f"[value={json.dumps(value)}]")))
        elif control.evaluate("one => one.tagName") == "SELECT":
            self.select(control, self.offered(control, value))
        else:
            self.type(control, value)

    def offered(self, control: Locator, value: str) -> str:
        """The option that means this value: of two scholars alike, one stands for both."""
        options = control.evaluate("one => [...one.options].map((option) => option.value)")
        return value if value in options else next(one for one in options if one[:-1] == value[:-1])

    def choose(self, option: Locator) -> None:
        option.check()

    def select(self, control: Locator, value: str) -> None:
        control.select_option(value)

    def type(self, control: Locator, value: str) -> None:
        control.fill(value)

    def press(self, button: Locator) -> None:
        """Press a button that leads to a page."""
        with self.page.expect_navigation():
            button.tap()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def sees(self, text: str) -> bool:
        return " ".join(text.split()) in " ".join(self.page.locator("main").inner_text().split())

    def board(self) -> dict:
        """The position as the page shows it, and whose money."""
        return self.page.evaluate(READ_BOARD)


class KeyboardPlayer(Player):
    """Somebody who has no pointer: Tab, arrows, Space, Enter, and what can be typed.

    On the way to a control the focus must always be seen and only ever go on in reading order.
    """

    def reach(self, control: Locator) -> None:
        """Tab until the control has the focus."""
        self.page.evaluate("window.focusedBefore = null")
        for _ in range(MOST_TABS):
            if control.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
            self.check_focus()
        raise AssertionError(f"The keyboard does not reach {control}.")

    def check_focus(self) -> None:
        focus = self.page.evaluate(FOCUS)
        if focus.pop("onPage"):
            assert focus["follows"], f"The focus jumps back to {focus['what']}."
            assert focus["ringed"], f"The focus on {focus['what']} is not seen."
            assert focus["inSight"], f"The focus on {focus['what']} is out of sight."
        else:
            self.page.evaluate("window.focusedBefore = null")  # round by the browser's own bar

    def choose(self, option: Locator) -> None:
        """A box by Space; one of several by the arrows, from the one that has the focus."""
        if option.get_attribute("type") == "checkbox":
            self.reach(option)
            self.page.keyboard.press("Space")
            return
        group = self.control(option.get_attribute("name"))
        chosen = group.and_(self.page.locator(":checked"))
        self.reach(chosen.first)
        for _ in range(group.count()):
            if option.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        assert option.is_checked()

    def select(self, control: Locator, value: str) -> None:
        self.reach(control)
        at, to = control.evaluate(
            "(one, value) => [one.selectedIndex, [...one.options].findIndex("
            "(option) => option.value === value)]",
            value,
        )
        for _ in range(abs(to - at)):
            self.page.keyboard.press("ArrowDown" if to > at else "ArrowUp")
        assert control.input_value() == value

    def type(self, control: Locator, value: str) -> None:
        self.reach(control)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(value)

    def press(self, button: Locator) -> None:
        self.reach(button)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
