import { guides } from 'virtual:guides'
import { useMantineColorScheme } from '@mantine/core'
import { signOutAddress } from '../../api/session.ts'
import {
  IconBook,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSnowflake,
  IconSun,
  IconUpload,
  IconUser,
} from '../../components/icons.ts'
import { usePaletteTexts } from '../../texts/palette-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { discardEnrolment } from '../kept-enrolment.ts'
import { useAllowedPages } from '../navigation.tsx'
import { useSession } from '../session-context.ts'
import type { PaletteItem } from './palette-item.ts'
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

function useActions(showShortcuts: () => void): PaletteItem[] {
  const { actions } = usePaletteTexts()
  const { roles } = useSession().principal
  const { setColorScheme } = useMantineColorScheme()
  const action = (id: string, label: string, rest: Omit<PaletteItem, 'id' | 'label' | 'group'>): PaletteItem => ({
    ...{ id: `action ${id}`, group: 'actions', label },
    ...rest,
  })
  return [
    ...(roles.includes('admin.manage')
      ? [
          action('add-principal', actions.addPrincipal, { icon: IconUser, to: '/admin/principals/new' }),
          action('create-token', actions.createToken, { icon: IconKey, to: '/admin/enrolment' }),
          action('freeze', actions.freeze, { icon: IconSnowflake, to: '/admin/safety' }),
        ]
      : []),
    ...(roles.includes('package.write')
      ? [action('upload', actions.uploadPackage, { icon: IconUpload, to: '/packages' })]
      : []),
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
