import type { CSSVariablesResolver } from '@mantine/core'
import { Badge, createTheme, NavLink } from '@mantine/core'

const dialogTitle = { title: { fontWeight: 600, overflowWrap: 'anywhere' } } as const

export const theme = createTheme({
  primaryColor: 'indigo',
  // Text on these shades, and text in these shades, meets the contrast of WCAG AA.
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.1rem' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // By their names: the components themselves are loaded with the pages that use them, not with the first view.
    TextInput: { defaultProps: { inputWrapperOrder: ['label', 'description', 'input', 'error'] } },
    Textarea: { defaultProps: { autosize: true, minRows: 2, maxRows: 6 } },
    PasswordInput: { defaultProps: { autoComplete: 'current-password' } },
    Modal: { defaultProps: { centered: true, size: 'lg' }, styles: dialogTitle },
    Drawer: { styles: dialogTitle },
    Badge: Badge.extend({
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 },
      // A long text continues on the next line instead of being cut.
      styles: {
        root: { height: 'auto', minHeight: 20 },
        label: { whiteSpace: 'normal', overflow: 'visible', overflowWrap: 'break-word' },
      },
    }),
    // The background that Mantine gives an open page under the mouse is too close to the colour of its text.
    NavLink: NavLink.extend({ vars: () => ({ root: { '--nl-hover': 'var(--nl-bg)' }, children: {} }) }),
    // A page has one banner; the header of a dialog is not it.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
})

/** Secondary text with enough contrast: the default of Mantine fails WCAG AA. */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#6b737b',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-indigo-light-hover': '#ccd7ff',
    '--mantine-color-green-light-color': '#1d632d',
    '--mantine-color-orange-light-color': '#8f3600',
    '--mantine-color-red-light-color': '#9b1c1c',
    '--mantine-color-yellow-light-color': '#744a00',
    '--open-work-colour': 'var(--mantine-color-gray-5)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': '#9a9a9a',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    // Open work looks like an empty part of a bar.
    '--open-work-colour': 'var(--mantine-color-dark-3)',
  },
})
