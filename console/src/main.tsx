import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './shell/shell.css'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './shell/app.tsx'
import { createQueryClient } from './shell/query-client.ts'
import { routes } from './shell/routes.tsx'
import { loadTranslation, preferredLanguage } from './texts/texts.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root')
const translation = await loadTranslation(preferredLanguage())
createRoot(root).render(
  <App translation={translation} router={createBrowserRouter(routes)} queryClient={createQueryClient()} />,
)
