import { NavLink, Text } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { NavLink as RouterLink, useLocation } from 'react-router'
import {
  IconAlertTriangle,
  IconApps,
  IconBandage,
  IconBolt,
  IconClipboardCheck,
  IconClock,
  IconDeviceDesktop,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconPackage,
  IconRocket,
  IconServer,
  IconShieldCheck,
  IconShieldExclamation,
  IconShieldHalf,
  IconSitemap,
  IconTable,
  IconUsers,
  IconWebhook,
} from '../components/icons.ts'
import { type Texts, useTexts } from '../texts/texts.tsx'
import { DecisionBadge, useLiveDecisions } from './decision-badge.tsx'
import { useSession } from './session-context.ts'

type PageEntry = {
  to: string
  icon: TablerIcon
  title: (texts: Texts) => string
  /** One of these roles lets a person see something on the page. Everybody sees a page without roles. */
  roles?: readonly string[]
}

const admin = ['admin.manage']

const fleet: readonly PageEntry[] = [
  { to: '/', icon: IconLayoutDashboard, title: ({ overview }) => overview.title },
  { to: '/computers', icon: IconDeviceDesktop, title: ({ computers }) => computers.title, roles: ['computer.read'] },
  { to: '/groups', icon: IconSitemap, title: ({ groups }) => groups.title, roles: ['group.read'] },
  { to: '/packages', icon: IconPackage, title: ({ packages }) => packages.title, roles: ['package.read'] },
  {
    to: '/package-requests',
    icon: IconClipboardCheck,
    title: ({ shell }) => shell.packageRequests,
    roles: ['computer.read'],
  },
  { to: '/rollouts', icon: IconRocket, title: ({ shell }) => shell.rollouts, roles: ['computer.read'] },
  { to: '/software', icon: IconApps, title: ({ shell }) => shell.software, roles: ['computer.read'] },
  { to: '/patches', icon: IconBandage, title: ({ shell }) => shell.patches, roles: ['pm.read'] },
  {
    to: '/vulnerabilities',
    icon: IconShieldExclamation,
    title: ({ shell }) => shell.vulnerabilities,
    roles: ['pm.read'],
  },
  { to: '/issues', icon: IconAlertTriangle, title: ({ issues }) => issues.title, roles: ['computer.read'] },
  { to: '/reports', icon: IconTable, title: ({ shell }) => shell.reports, roles: ['computer.read'] },
  { to: '/history', icon: IconClock, title: ({ shell }) => shell.history, roles: ['computer.read'] },
  {
    to: '/infrastructure',
    icon: IconServer,
    title: ({ infrastructure }) => infrastructure.title,
    roles: ['computer.read', 'package.read'],
  },
]

const administration: readonly PageEntry[] = [
  { to: '/admin/principals', icon: IconUsers, title: ({ principals }) => principals.title, roles: admin },
  { to: '/admin/roles', icon: IconShieldCheck, title: ({ roles }) => roles.title, roles: admin },
  { to: '/admin/audit', icon: IconHistory, title: ({ shell }) => shell.audit, roles: [...admin, 'audit.read'] },
  { to: '/admin/enrolment', icon: IconKey, title: ({ shell }) => shell.enrolment, roles: admin },
  {
    to: '/admin/approvals',
    icon: IconClipboardCheck,
    title: ({ approvals }) => approvals.title,
    roles: admin,
  },
  { to: '/admin/safety', icon: IconShieldHalf, title: ({ safety }) => safety.title, roles: admin },
  { to: '/admin/webhooks', icon: IconWebhook, title: ({ shell }) => shell.webhooks, roles: admin },
  {
    to: '/admin/events',
    icon: IconBolt,
    title: ({ shell }) => shell.events,
    roles: ['computer.read', 'group.read', 'package.read', 'pm.read', 'admin.manage'],
  },
  {
    to: '/admin/desired-state',
    icon: IconListCheck,
    title: ({ shell }) => shell.desiredState,
    roles: ['package.read', 'group.read', 'admin.manage'],
  },
  { to: '/admin/about', icon: IconInfoCircle, title: ({ about }) => about.title },
]

/** The pages on which the person may see something. */
export function useAllowedPages(entries: readonly PageEntry[] = [...fleet, ...administration]): PageEntry[] {
  const { principal } = useSession()
  return entries.filter(({ roles }) => !roles || roles.some((role) => principal.roles.includes(role)))
}

export function Navigation() {
  const { shell } = useTexts()
  useLiveDecisions()
  return (
    <>
      <PageList title={shell.fleet} entries={fleet} />
      <PageList title={shell.administration} entries={administration} />
    </>
  )
}

function PageList({ title, entries }: { title: string; entries: readonly PageEntry[] }) {
  const allowed = useAllowedPages(entries)
  return (
    <>
      <Text size="xs" c="dimmed" fw={600} px="sm" pt="sm" pb={4}>
        {title}
      </Text>
      {allowed.map((entry) => (
        <PageLink key={entry.to} {...entry} />
      ))}
    </>
  )
}

function PageLink({ to, icon: Icon, title }: PageEntry) {
  const texts = useTexts()
  const { pathname } = useLocation()
  const isOpen = pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
  return (
    <NavLink
      component={RouterLink}
      to={to}
      label={title(texts)}
      active={isOpen}
      leftSection={<Icon size={18} aria-hidden />}
      rightSection={<DecisionBadge page={to} />}
    />
  )
}
