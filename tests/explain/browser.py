"""A browser for tests: Debian's chromium without a window, driven by selenium."""
import pathlib
import shutil


def missing():
    """What is not there, in words; empty if all is."""
    lacking = [program for program in ("chromium", "chromedriver") if not shutil.which(program)]
    try:
        import selenium  # noqa: F401
    except ImportError:
        lacking.append("python3-selenium")
    return ", ".join(lacking)


class Browser:
    """Looks at pages of files. Without a network: that a page needs one would be an error of the console."""

    def __init__(self, width=1440, height=900, dark=False):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},{height}",
                     "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.resize(width, height)
        self.prefer("dark" if dark else "light")

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700})

    def prefer(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, path):
        self.driver.get(pathlib.Path(path).resolve().as_uri())

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def screenshot(self, path):
        self.driver.save_screenshot(str(path))

    def screenshot_of_all(self, path):
        """The whole page, however long."""
        import base64

        size = self.run("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}})
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.driver.quit()
