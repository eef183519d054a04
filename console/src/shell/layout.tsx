import { AppShell, Burger, Group, Image, NavLink, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { TablerIcon } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Outlet, NavLink as RouterLink, ScrollRestoration, useLocation } from 'react-router'
import {
  IconClipboardCheck,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconShieldCheck,
  IconShieldHalf,
  IconUsers,
} from '../components/icons.ts'
import { useTexts } from '../texts/texts.tsx'
import { AccountMenu } from './account-menu.tsx'
import { FreezeBanner } from './freeze-banner.tsx'
import { HealthBanner } from './health-banner.tsx'
import logo from './muster.svg'

const contentId = 'content'

/** The layout around every page: skip link, header, navigation. */
export function Layout() {
  const texts = useTexts()
  const [isOpen, menu] = useDisclosure()
  const { pathname } = useLocation()
  const { close } = menu
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
            <Image src={logo} alt="" w={24} h={24} />
            <Text fw={700} size="lg">
              {texts.shell.product}
            </Text>
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.shell.navigation} className="navigation" data-open={isOpen}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1}>
        <HealthBanner />
        <FreezeBanner />
        <Outlet />
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  )
}

function Navigation() {
  const texts = useTexts()
  return (
    <>
      <PageLink to="/principals" icon={IconUsers} label={texts.principals.title} />
      <PageLink to="/roles" icon={IconShieldCheck} label={texts.roles.title} />
      <PageLink to="/audit" icon={IconHistory} label={texts.audit.title} />
      <PageLink to="/enrolment-tokens" icon={IconKey} label={texts.tokens.title} />
      <PageLink to="/approvals" icon={IconClipboardCheck} label={texts.approvals.title} />
      <PageLink to="/safety" icon={IconShieldHalf} label={texts.safety.title} />
      <PageLink to="/about" icon={IconInfoCircle} label={texts.about.title} />
    </>
  )
}

function PageLink({ to, icon: Icon, label }: { to: string; icon: TablerIcon; label: string }) {
  const { pathname } = useLocation()
  return (
    <NavLink
      component={RouterLink}
      to={to}
      label={label}
      active={pathname.startsWith(to)}
      leftSection={<Icon size={18} aria-hidden />}
    />
  )
}
