// Loaded before the page is shown, so that it never appears in the wrong colors.
const chosen = localStorage.getItem('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
