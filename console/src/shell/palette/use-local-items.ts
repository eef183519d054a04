import { guides } from 'virtual:guides'
import { useMantineColorScheme } from '@mantine/core'
import { signOutAddress } from '../../api/session.ts'
import {
  IconBandage,
  IconBook,
  IconDeviceDesktop,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPackage,
  IconRocket,
  IconServer,
  IconSitemap,
  IconSun,
  IconTable,
} from '../../components/icons.ts'
import { usePaletteTexts } from '../../texts/palette-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { discardEnrolment } from '../kept-enrolment.ts'
import { useAllowedPages } from '../navigation.tsx'
import { useSession } from '../session-context.ts'
import type { PaletteItem } from './palette-item.ts'
import { panelActions } from './panel-actions.ts'
import { usePageParts } from './use-page-parts.ts'

/** What is found without the service: pages, what can be done on them, and the guides. */
export function useLocalItems(showShortcuts: () => void): PaletteItem[] {
  const texts = useTexts()
  const pages = useAllowedPages().map(
    ({ to, icon, title }): PaletteItem => ({ id: `page ${to}`, group: 'pages', label: title(texts), icon, to }),
  )
  return [...pages, ...usePageParts(), ...useActions(showShortcuts), ...guideItems]
}

const guideItems = guides.flatMap(({ address, title, sections }): PaletteItem[] => [
  { id: `guide ${address}`, group: 'guides', label: title, icon: IconBook, href: address },
  ...sections.map(
    (section): PaletteItem => ({
      id: `guide ${address}#${section.id}`,
      group: 'guides',
      label: section.title,
      hint: title,
      icon: IconBook,
      href: `${address}#${section.id}`,
    }),
  ),
])

const iconOfPage = {
  computers: IconDeviceDesktop,
  groups: IconSitemap,
  package: IconPackage,
  patches: IconBandage,
  rollouts: IconRocket,
  reports: IconTable,
  infrastructure: IconServer,
}

/** Pages for administrators, which are about access, have a key. */
function iconOf(address: string) {
  return Object.entries(iconOfPage).find(([page]) => address.startsWith(`/${page}`))?.[1] ?? IconKey
}

function useActions(showShortcuts: () => void): PaletteItem[] {
  const { actions } = usePaletteTexts()
  const { roles } = useSession().principal
  const { setColorScheme } = useMantineColorScheme()
  const action = (id: string, label: string, rest: Omit<PaletteItem, 'id' | 'label' | 'group'>): PaletteItem => ({
    ...{ id: `action ${id}`, group: 'actions', label },
    ...rest,
  })
  return [
    ...panelActions
      .filter((one) => one.roles.every((role) => roles.includes(role)))
      .map(({ id, to, opens }) => action(id, actions[id], { icon: iconOf(to), to, ...(opens && { panel: id }) })),
    action('light', actions.light, { icon: IconSun, run: () => setColorScheme('light') }),
    action('dark', actions.dark, { icon: IconMoon, run: () => setColorScheme('dark') }),
    action('shortcuts', actions.shortcuts, { icon: IconKeyboard, hint: '?', run: showShortcuts }),
    action('sign-out', actions.signOut, {
      icon: IconLogout,
      run() {
        discardEnrolment()
        location.assign(signOutAddress)
      },
    }),
  ]
}
