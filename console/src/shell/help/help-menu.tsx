import { ActionIcon, Kbd, Menu } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import {
  IconBook,
  IconBooks,
  IconExternalLink,
  IconHelp,
  IconInfoCircle,
  IconKeyboard,
  IconTable,
} from '../../components/icons.ts'
import { useHelpTexts } from '../../texts/help-texts.ts'
import { guideOfPage, helpAddress } from './guide-of-page.ts'

/** The help for the page that is shown. */
export function HelpMenu({ showShortcuts }: { showShortcuts: () => void }) {
  const texts = useHelpTexts()
  const { pathname } = useLocation()
  return (
    <Menu position="bottom-end" width={300} shadow="md">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={texts.title}>
          <IconHelp size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <HelpItems pathname={pathname} showShortcuts={showShortcuts} />
      </Menu.Dropdown>
    </Menu>
  )
}

type HelpItemsProps = { pathname: string; showShortcuts: () => void }

function HelpItems({ pathname, showShortcuts }: HelpItemsProps) {
  const texts = useHelpTexts()
  const documents = [
    { address: guideOfPage(pathname), label: texts.guide, icon: IconBook },
    { address: helpAddress('guides/README.md'), label: texts.allGuides, icon: IconBooks },
    { address: helpAddress('reference/operations.md'), label: texts.apiReference, icon: IconTable },
  ]
  return (
    <>
      {documents.map(({ address, label, icon: Icon }) => (
        // A tab of its own: what was typed on this page stays.
        <Menu.Item
          key={address}
          component="a"
          href={address}
          target="_blank"
          rel="noopener"
          leftSection={<Icon size={16} aria-hidden />}
          rightSection={<IconExternalLink size={14} aria-label={texts.newTab} />}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        onClick={showShortcuts}
        leftSection={<IconKeyboard size={16} aria-hidden />}
        rightSection={<Kbd size="xs">?</Kbd>}
      >
        {texts.shortcuts}
      </Menu.Item>
      <Menu.Item component={Link} to="/admin/about" leftSection={<IconInfoCircle size={16} aria-hidden />}>
        {texts.about}
      </Menu.Item>
    </>
  )
}
