import type { SettingInfo } from "@/api/settings";

/** What the control of a setting is given. */
export interface ControlProps {
  info: SettingInfo;
  value: string;
  label: string;
  error: string | undefined;
  onSet(value: string | boolean): void;
}
