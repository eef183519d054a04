// The colours that were chosen in the console apply here, too. Runs before the page is shown.
const chosen = localStorage.getItem('mantine-color-scheme-value')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.colours = chosen

// On a phone, the list of guides is closed, so that the page begins with the guide.
addEventListener('DOMContentLoaded', () => {
  if (matchMedia('(max-width: 60em)').matches) document.querySelector('.contents').open = false
})
