import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, LogOut, Monitor, Moon, Plus, Sun } from 'lucide-react';
import type { ReactElement } from 'react';
import { areaText } from '#words/area.ts';
import { Menu, MenuChoice, MenuHead, MenuItem, MenuLink, MenuSeparator } from '#web/ui/menu.tsx';
import { useTheme } from '#web/ui/theme.ts';
import { OWN_SEGMENT } from '#contract/pages.ts';
import { ownPageNames, pages } from './pages.ts';
import { useSession } from './session-context.ts';
import { Named } from '#web/ui/named.tsx';

const themes = [
  { value: 'system', label: areaText.themeSystem, icon: <Monitor /> },
  { value: 'light', label: areaText.themeLight, icon: <Sun /> },
  { value: 'dark', label: areaText.themeDark, icon: <Moon /> },
] as const;

type Props = { trigger: ReactElement; onSwitch: () => void; onAdd: () => void; onLogout: () => void };

export function AccountMenu({ trigger, onSwitch, onAdd, onLogout }: Props) {
  const { user, current, others } = useSession();
  const [theme, setTheme] = useTheme();
  const name = user.fullName || user.email || areaText.noNameYet;
  const role = user.userRole ?? current?.role;
  return (
    <Menu trigger={trigger}>
      <MenuHead>
        <strong>
          <Named>{name}</Named>
        </strong>
        {user.email && user.fullName && <span>{user.email}</span>}
        {role && (
          <span>
            <Named>{role}</Named>
          </span>
        )}
      </MenuHead>
      <MenuSeparator />
      {(current ? ['myprofile' as const] : ownPageNames).map((page) => {
        const { icon: Icon, label } = pages[page];
        return (
          <MenuLink
            key={page}
            icon={<Icon />}
            render={<Link to={`/$orgId/${page}`} params={{ orgId: current?.urlName ?? OWN_SEGMENT }} />}
          >
            {label}
          </MenuLink>
        );
      })}
      {current && others.length > 0 && (
        <MenuItem icon={<ArrowLeftRight />} onSelect={onSwitch}>
          {areaText.switchOrganization}
        </MenuItem>
      )}
      {current && others.length === 0 && (
        <MenuItem icon={<Plus />} onSelect={onAdd}>
          {areaText.addOrganization}
        </MenuItem>
      )}
      {!current && (
        <MenuLink icon={<Plus />} render={<Link to="/onboarding" />}>
          {areaText.addOrganization}
        </MenuLink>
      )}
      <MenuSeparator />
      <MenuChoice label={areaText.theme} value={theme} onChange={setTheme} options={themes} />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={onLogout}>
        {areaText.logout}
      </MenuItem>
    </Menu>
  );
}
