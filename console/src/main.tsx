import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './shell/shell.css'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { loadTranslation, preferredLanguage } from './texts/texts.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root')
createRoot(root).render(<App translation={await loadTranslation(preferredLanguage())} />)
