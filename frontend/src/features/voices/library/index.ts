export { ToModel } from "./ModelLink";
export { useListKeys, type View, VoiceList } from "./VoiceList";
export { VoiceState } from "./VoiceState";
export {
  canPreview,
  FavoriteButton,
  PreviewButton,
  previewId,
  useFavorite,
  useVoiceItems,
  VoiceItemsMenu,
} from "./buttons";
export { type Hosted, type HostedAccess, hostedId, useHostedAccess } from "./hosted";
export { byUse, type Compare, type Entry, groupOf, offerEntries, voiceEntries } from "./entries";
export {
  baseLanguage,
  countOf,
  type Facet,
  filterModels,
  type Filters,
  filterVoices,
  isFiltered,
  isHosted,
  kindOf,
  type LanguageName,
  noFilters,
  type Option,
  optionsOf,
} from "./filter";
export { bareVoice, mixId, parseMix } from "./mix";
export { bareName, type Offer, speaks, useOffers } from "./offers";
export { leaving, useVoices } from "./useVoices";
export { builtIn, type Choice, describeVoice, hostedEngine, modelsToGet, type Voice } from "./voice";
export { isBuiltInOffer, useBuiltInOffers } from "./builtIn";
export { chooseProvider, mergeProviders, useChosenProviders } from "./providers";
export { bestFirst, rankOf } from "./rank";
export { shareName, useVoiceWords } from "./words";
