import { MantineProvider, MantineThemeProvider, Notification } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { RouterProvider } from 'react-router/dom'
import { TextsProvider, type Translation, useTexts } from '../texts/texts.tsx'
import { readableColours, theme } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// The scroll lock of dialogs looks up the nonce of its style under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

type AppProps = {
  translation: Translation
  router: ComponentProps<typeof RouterProvider>['router']
  queryClient: QueryClient
}

export function App({ translation, router, queryClient }: AppProps) {
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
      {/* Titles and buttons of panels and pages are at the top and at the right. */}
      <Notifications position="bottom-left" />
    </MantineThemeProvider>
  )
}
