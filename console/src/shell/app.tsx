import { MantineProvider, MantineThemeProvider, Notification } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router/dom'
import { hasStatus } from '../api/problem.ts'
import { TextsProvider, type Translation, useTexts } from '../texts/texts.tsx'
import { router } from './routes.tsx'
import { readableColours, theme } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// The scroll lock of dialogs looks up the nonce of its style under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

const queryClient = new QueryClient({
  defaultOptions: {
    // Requests fail at once without a network, instead of waiting for it without a word.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && (hasStatus(error, 0) || hasStatus(error, 503)),
    },
  },
})

export function App({ translation }: { translation: Translation }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColours}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <TextsProvider initial={translation}>
          <Toasts />
          <RouterProvider router={router} />
        </TextsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The theme names the button that closes a toast, in the language of the person. */
function Toasts() {
  const { common } = useTexts()
  const named = Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': common.close } } })
  return (
    <MantineThemeProvider theme={{ components: { Notification: named } }}>
      <Notifications position="top-center" />
    </MantineThemeProvider>
  )
}
