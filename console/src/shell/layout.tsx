import { AppShell, Burger, Group, Image, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useEffect } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { LiveNotice } from '../live/live-notice.tsx'
import { useTexts } from '../texts/texts.tsx'
import { AccountMenu } from './account-menu.tsx'
import { FreezeBanner } from './freeze-banner.tsx'
import { HealthBanner } from './health-banner.tsx'
import logo from './muster.svg'
import { Navigation } from './navigation.tsx'
import { OwnRolesNotice } from './own-roles-notice.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

const contentId = 'content'

// The first view does not wait for it.
const HeaderTools = lazy(async () => ({ default: (await import('./help/header-tools.tsx')).HeaderTools }))

/** The layout around every page: skip link, header, navigation. */
export function Layout() {
  const texts = useTexts()
  const [isOpen, menu] = useDisclosure()
  const { pathname } = useLocation()
  const { close } = menu
  useKeptFocus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(close, [pathname, close])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href={`#${contentId}`}>
        {texts.shell.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={texts.shell.openMenu}
              aria-expanded={isOpen}
            />
            <Link to="/" className="home">
              <Image src={logo} alt="" w={24} h={24} />
              <Text fw={700} size="lg" component="span">
                {texts.shell.product}
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Suspense>
              <HeaderTools />
            </Suspense>
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.shell.navigation} className="navigation" data-open={isOpen}>
        <ScrollArea type="auto" offsetScrollbars="present" scrollbarSize={6}>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1}>
        <HealthBanner />
        <FreezeBanner />
        <LiveNotice />
        <OwnRolesNotice />
        <Outlet />
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  )
}
