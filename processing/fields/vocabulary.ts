/**
 * General words of addresses, by which misread ones are mended: kinds of streets and places, and the states and larger
 * towns of countries whose documents are common; and what kinds of businesses call themselves. No streets, no companies.
 */
const OF_ADDRESSES = `
jalan lorong taman kampung persiaran lebuh lebuhraya bandar seksyen kawasan perindustrian perniagaan wisma menara plaza
kompleks bangunan tingkat medan pusat desa bukit sungai batu pasir tanjung teluk kota pekan mukim daerah
baru baharu utama indah jaya permai perdana mahkota damai
street road avenue boulevard drive lane square highway floor ground level suite building block tower centre center
industrial estate park garden gardens heights complex mall north south east west
strasse platz allee gasse place avenida calle
`;
const PLACES = `
malaysia selangor johor bahru penang pulau pinang melaka malacca perak kedah pahang kelantan terengganu sabah sarawak
negeri sembilan perlis putrajaya labuan kuala lumpur wilayah persekutuan darul ehsan takzim ridzuan
shah alam petaling subang klang ipoh georgetown seremban kajang cheras puchong ampang rawang gombak kepong sepang bangi
cyberjaya damansara kelana sentul setapak seri kembangan semenyih skudai masai kulai muar segamat kluang pontian
butterworth mertajam alor setar petani kinabalu kuching kuantan taiping temerloh bentong langkawi miri sibu
singapore london manchester birmingham bristol leeds glasgow edinburgh dublin sydney melbourne brisbane perth
york angeles chicago houston toronto vancouver berlin hamburg paris madrid barcelona zurich vienna amsterdam
jakarta bandung surabaya bangkok manila hongkong
`;

const OF_NAMES = `
enterprise enterprises trading company holdings group international industries associates partners marketing services
management restaurant restoran cafe hotel supermarket hypermarket minimarket market stores bakery bakeries pharmacy
farmasi clinic klinik kedai pasaraya hardware stationery bookshop gallery motors station kitchen electrical electronics
optical syarikat perniagaan perusahaan pembekal makanan minuman jaya maju
`;

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const ADDRESS_WORDS: readonly string[] = words(OF_ADDRESSES);
export const PLACE_WORDS: readonly string[] = words(PLACES);
export const NAME_WORDS: readonly string[] = words(OF_NAMES);
